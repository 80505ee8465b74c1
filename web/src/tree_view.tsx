// The term of one moment as a tree, with the redex in it.
import { useEffect, useState } from "preact/hooks";

import type { Frame } from "./derivation";
import type { Engine } from "./engine";
import { kMostNodes, layOut, type Node, subtree, type Tree } from "./tree_layout";

function Edges({ node }: { node: Node }) {
  return (
    <>
      {node.children.map((child) => (
        <path d={`M${node.x} ${node.y + 13}C${node.x} ${node.y + 32} ${child.x} ${child.y - 32} ${child.x} ${child.y - 13}`} />
      ))}
    </>
  );
}

export function TreeView({ engine, model, frame }: { engine: Engine; model: string; frame: Frame }) {
  const [tree, setTree] = useState<Tree | "large">();
  useEffect(() => {
    let current = true;
    engine.symbols(model, frame.formula).then(
      (symbols) => current && setTree(symbols.length > kMostNodes ? "large" : layOut(symbols)),
      () => current && setTree(undefined),
    );
    return () => {
      current = false;
    };
  }, [engine, model, frame.formula]);
  if (tree === "large") return <p class="note">This term is too large to be drawn as a tree.</p>;
  if (!tree) return <p class="note">…</p>;
  const step = frame.steps[0];
  const redex = step ? subtree(tree, step) : new Set<Node>();
  return (
    <div class="tree" role="region" aria-label="Term as a tree" tabIndex={0}>
      <svg
        width={tree.width}
        height={tree.height}
        viewBox={`0 0 ${tree.width} ${tree.height}`}
        role="img"
        aria-label={`${frame.formula}${step ? `; the redex is ${step.leaf}` : "; a normal form"}`}
      >
        <g class="edges">{tree.nodes.map((node) => <Edges node={node} />)}</g>
        {tree.nodes.map((node) => (
          <g class={redex.has(node) ? "node redex" : "node"}>
            <rect x={node.x - node.width / 2} y={node.y - 13} width={node.width} height={26} rx={13} />
            <text x={node.x} y={node.y + 5} text-anchor="middle">{node.name}</text>
          </g>
        ))}
      </svg>
    </div>
  );
}
