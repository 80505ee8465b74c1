"""The notebook in examples/notebook runs, and its committed outputs are what it gives. With --write they are replaced."""
import os
import pathlib
import re
import sys

import nbformat
from nbclient import NotebookClient

NRS = pathlib.Path(os.environ["NRS"])
NOTEBOOK = pathlib.Path(os.environ["ROOT"]) / "examples" / "notebook" / "tour.ipynb"
LOG_PROB = re.compile(r"-?\d+(?:\.\d+)?(?:e-\d+)?(?=\)\")|-?\d\.\d{4}")


def run(notebook):
    os.environ["PYTHONPATH"] = str(NRS.parent.parent / "python")
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # else the kernel warns of Debian's Python
    NotebookClient(notebook, timeout=300, kernel_name="python3",
                   resources={"metadata": {"path": NOTEBOOK.parent}}).execute()
    notebook.metadata.language_info = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran
        if cell.cell_type == "code":
            cell.outputs = together(cell.outputs)


def together(outputs):
    """What is printed comes in as many pieces as it likes."""
    joined = []
    for output in outputs:
        if joined and output.output_type == "stream" == joined[-1].output_type:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def shown(cell):
    """All forms of the outputs, without log-probabilities: machines round differently."""
    texts = [output.text if output.output_type == "stream" else str(sorted(output.data.items()))
             for output in cell.outputs]
    return [LOG_PROB.sub("...", text) for text in texts]


def main():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    committed = [shown(cell) for cell in notebook.cells if cell.cell_type == "code"]
    run(notebook)
    now = [shown(cell) for cell in notebook.cells if cell.cell_type == "code"]
    if "--write" in sys.argv:
        nbformat.write(notebook, NOTEBOOK)
        return
    drawn = [text for texts in now for text in texts if "text/html" in text and "<li><code>" in text]
    if len(drawn) < 2:
        sys.exit("no derivations are drawn")
    for number, (before, after) in enumerate(zip(committed, now), 1):
        if before != after:
            sys.exit("cell %d: the notebook has\n%s\nbut gives\n%s\n(%s --write replaces them)"
                     % (number, before, after, __file__))
    print("fine: %d cells" % len(now))


main()
