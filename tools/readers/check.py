"""Reads the moving exports of a run back and compares frames, points and times with the run's own tables."""
import csv
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pyarrow.parquet
import vtk
from pxr import Usd, UsdGeom
from vtk.util.numpy_support import vtk_to_numpy

run, rate = Path(sys.argv[1]), sys.argv[2]


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def wanted_times():
    """All times of the run, or those nearest to the rate; worked out anew."""
    times = [float(row["time"]) for row in table(run / "probes.csv")]
    if rate == "all":
        return times
    steps = int((times[-1] - times[0]) * float(rate) + 1e-6) + 1
    nearest = {min(times, key=lambda t: abs(t - times[0] - k / float(rate))) for k in range(steps)}
    return sorted(nearest)


def read_grid(path):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    assert reader.GetErrorCode() == 0, path
    return reader.GetOutput()


def check_vtu(times):
    directory = run / f"{rate}.vtu"
    sets = list(xml.parse(next(directory.glob("*.pvd"))).iter("DataSet"))
    assert [float(s.get("timestep")) for s in sets if s.get("part") == "0"] == times
    counts, broken = set(), []
    for s in sets:
        grid = read_grid(directory / s.get("file"))
        if s.get("part") == "1":
            assert grid.GetNumberOfCells() > 0
            continue
        counts.add((grid.GetNumberOfPoints(), grid.GetNumberOfCells()))
        for name in ["displacement", "velocity", "force", "stress", "von_mises", "body", "rigid", "radius", "mass"]:
            assert grid.GetPointData().HasArray(name), name
        lines = vtk_to_numpy(grid.GetCellData().GetArray("connection")) == 1
        broken.append(int(vtk_to_numpy(grid.GetCellData().GetArray("damage"))[lines].sum()))
        assert vtk_to_numpy(grid.GetFieldData().GetArray("TimeValue"))[0] == float(s.get("timestep"))
    assert len(counts) == 1, "elements and connections stay"
    events = [e for e in table(run / "events.csv") if e["event"] == "broke" and float(e["time"]) <= times[-1]]
    assert broken[-1] == len(events), (broken[-1], len(events))
    points, cells = counts.pop()
    return f"VTK: {len(times)} frames, {points} points, {cells - points} connections, {broken[-1]} broken"


def check_usd(times):
    stage = Usd.Stage.Open(str(run / f"{rate}.usda"))
    assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 1
    words = []
    for prim in stage.Traverse():
        shape = UsdGeom.PointBased(prim)
        if not shape:
            continue
        codes = shape.GetPointsAttr().GetTimeSamples()
        seconds = [c / stage.GetTimeCodesPerSecond() for c in codes]
        assert len(seconds) == len(times) and max(abs(a - b) for a, b in zip(seconds, times)) < 1e-6
        topologies = 1
        if prim.IsA(UsdGeom.Mesh):
            mesh = UsdGeom.Mesh(prim)
            topologies = max(1, mesh.GetFaceVertexIndicesAttr().GetNumTimeSamples())
            for c in codes:
                ok, why = UsdGeom.Mesh.ValidateTopology(
                    mesh.GetFaceVertexIndicesAttr().Get(c),
                    mesh.GetFaceVertexCountsAttr().Get(c),
                    len(shape.GetPointsAttr().Get(c)),
                )
                assert ok, why
        for c in codes:
            own, found = shape.GetExtentAttr().Get(c), UsdGeom.PointBased.ComputeExtent(shape.GetPointsAttr().Get(c))
            assert all(own[0][k] <= found[0][k] and own[1][k] >= found[1][k] for k in range(3)), "extent"
        points = len(shape.GetPointsAttr().Get(codes[0]))
        words.append(f"{prim.GetTypeName()} {prim.GetName()} of {points} points, {topologies} topologies")
    assert words
    return f"USD: {len(times)} frames, " + ", ".join(words)


def check_tables(times):
    for name in ["probes", "ledger", "events"]:
        rows = table(run / f"{rate}.csv" / f"{name}.csv")
        frame = pyarrow.parquet.read_table(run / f"{rate}.parquet" / f"{name}.parquet")
        assert frame.num_rows == len(rows) == (len(table(run / "events.csv")) if name == "events" else len(times))
        if name != "events":
            assert frame["time"].to_pylist() == times
        own = {row["time"]: row for row in table(run / f"{name}.csv")} if name != "events" else {}
        for column in frame.column_names:
            numbers = str(frame.schema.field(column).type) == "double"
            values = [float(r[column]) if numbers else r[column] for r in rows]
            assert frame[column].to_pylist() == values, column
            assert all(own[r["time"]][column] == r[column] for r in rows if own), column
    return f"Arrow: probes and ledger of {len(times)} rows, {len(rows)} events, as in CSV and as the run wrote them"


times = wanted_times()
for word in [check_vtu(times), check_usd(times), check_tables(times)]:
    print(f"{run.name}, {rate}: {word}")
