"""Reads the frames of a crashed run: all that are listed are there and whole."""
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import vtk

path = Path(sys.argv[1])
sets = list(xml.parse(path).iter("DataSet"))
assert sets
for s in sets:
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path.parent / s.get("file")))
    reader.Update()
    assert reader.GetErrorCode() == 0 and reader.GetOutput().GetNumberOfPoints() > 0, s.get("file")
print(f"torn: {len(sets) // 2} frames up to {sets[-1].get('timestep')} s are whole")
