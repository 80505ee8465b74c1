// A term as a picture: where its symbols stand.
import type { Range } from "./derivation";
import type { SymbolAt } from "./protocol";

export interface Node {
  name: string;
  children: Node[];
  begin: number; // of the symbols in it, in bytes of the text
  end: number;
  x: number; // the middle
  y: number;
  width: number;
}

export interface Tree {
  nodes: Node[];
  root: Node;
  width: number;
  height: number;
}

export const kMostNodes = 300;
const kCharacter = 8.4, kPadding = 10, kGap = 10, kLevel = 52;
const kEdge = 2; // for the lines around symbols

const shown = (name: string) => (name.length > 16 ? `${name.slice(0, 15)}…` : name);

// From symbols behind their arguments.
function build(symbols: SymbolAt[]): Node[] {
  const nodes: Node[] = [];
  const open: Node[] = [];
  for (const [name, arity, offset] of symbols) {
    const children = arity > 0 ? open.splice(-arity) : [];
    const text = shown(name);
    const node: Node = {
      name: text,
      children,
      begin: Math.min(offset, ...children.map((child) => child.begin)),
      end: Math.max(offset + 1, ...children.map((child) => child.end)),
      x: 0,
      y: 0,
      width: Math.max(text.length * kCharacter + 2 * kPadding, 28),
    };
    nodes.push(node);
    open.push(node);
  }
  return nodes;
}

// Leaves beside each other, all else in the middle above its arguments; a wide symbol pushes them to the right.
export function layOut(symbols: SymbolAt[]): Tree {
  const nodes = build(symbols);
  const root = nodes.at(-1)!;
  const edge: number[] = []; // how far each level is taken
  const place = (node: Node, level: number) => {
    for (const child of node.children) place(child, level + 1);
    const first = node.children[0], last = node.children.at(-1);
    const wanted = first && last ? (first.x + last.x) / 2 : 0;
    const least = (edge[level] ?? 0) + node.width / 2;
    node.x = Math.max(wanted, least);
    node.y = level * kLevel + 20;
    if (node.x > wanted && first) move(node, node.x - wanted, level);
    edge[level] = node.x + node.width / 2 + kGap;
  };
  const move = (node: Node, by: number, level: number) => {
    for (const child of node.children) {
      child.x += by;
      edge[level + 1] = Math.max(edge[level + 1] ?? 0, child.x + child.width / 2 + kGap);
      move(child, by, level + 1);
    }
  };
  place(root, 0);
  for (const node of nodes) node.x += kEdge;
  const width = Math.max(...nodes.map((node) => node.x + node.width / 2)) + kEdge;
  return { nodes, root, width, height: Math.max(...nodes.map((node) => node.y)) + 22 };
}

// The largest subterm whose symbols are all in the range.
export function subtree(tree: Tree, range: Range): Set<Node> {
  const inside = new Set<Node>();
  const visit = (node: Node, taken: boolean) => {
    const here = taken || (node.begin >= range.begin && node.end <= range.end);
    if (here) inside.add(node);
    for (const child of node.children) visit(child, here);
  };
  visit(tree.root, false);
  return inside;
}
