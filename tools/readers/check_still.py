"""Reads the OBJ and the STL of a frame with VTK: the same triangles in the same place as in the VTU of that frame."""
import sys
from pathlib import Path

import vtk

run = Path(sys.argv[1])


def read(reader, path):
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


index = 30  # 0.5 s at 60 frames per second
grid = read(vtk.vtkXMLUnstructuredGridReader(), run / "all.vtu" / f"surfaces_{index:05}.vtu")
for reader, name in [(vtk.vtkOBJReader(), "still.obj"), (vtk.vtkSTLReader(), "still.stl")]:
    still = read(reader, run / name)
    assert still.GetNumberOfCells() == grid.GetNumberOfCells(), name
    # STL has no vertices of no triangle, so the boxes are compared of what is used.
    if name.endswith("obj"):
        assert max(abs(a - b) for a, b in zip(still.GetBounds(), grid.GetBounds())) < 1e-5, name
print(f"{run.name}: OBJ and STL of {grid.GetNumberOfCells()} triangles at 0.5 s")
