//! Every kind of mistake is answered with its line, its column and what to do.
#![allow(clippy::unwrap_used, clippy::panic)]

use kreisel::model::setup::{BodyShape, Combine, RestitutionLaw};
use kreisel::model::shape::Shape;
use kreisel_scene::{Diagnostic, SceneError, read, read_bytes, read_path};

/// A body to which a line can be added; the added line is line 5.
const BODY: &str = "[[body]]\nname = \"a\"\nshape = { box = [1, 1, 1] }\n\n";

fn problems(text: &str) -> Vec<Diagnostic> {
    match read("test.toml", text) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(e) => e.problems,
    }
}

/// The first problem of a text is in a line and column, and its message and help contain some words.
fn refused(text: &str, line: usize, column: usize, message: &str, help: &str) {
    let found = problems(text);
    let p = &found[0];
    assert!(p.message.contains(message), "in\n{text}\nwanted: {message}\n{p}");
    assert!(p.help.as_deref().unwrap_or("").contains(help), "in\n{text}\nwanted help: {help}\n{p}");
    assert_eq!((p.line, p.column), (line, column), "in\n{text}\n{p}");
}

/// As `refused`, for a line added to a body.
fn body_refused(added: &str, column: usize, message: &str, help: &str) {
    refused(&format!("{BODY}{added}\n"), 5, column, message, help);
}

#[test]
fn a_misspelt_shape_is_one_mistake_and_told_once() {
    let text = "[[body]]\nname = \"a\"\nshape = { bx = [1, 1, 1] }\n";
    refused(text, 3, 11, "unknown field `bx` in shape", "did you mean `box`?");
    assert!(problems(text).iter().all(|p| !p.message.contains("is missing in shape")), "{:?}", problems(text));
    refused("[[body]]\nname = \"a\"\nshape = { weight = 1 }\n", 3, 9, "is missing in shape", "");
}

#[test]
fn the_rendering_shows_the_line_with_a_mark_and_the_help() {
    let e =
        read("scene.toml", "title = \"x\"\n[[body]]\nshape = { box = [1, 1, 1] }\nmaterail = \"oak\"\n").unwrap_err();
    let expected = "\
error: unknown field `materail` in [[body]]
 --> scene.toml:4:1 in `body[0].materail`
  |
4 | materail = \"oak\"
  | ^^^^^^^^
  = help: did you mean `material`?";
    assert_eq!(e.to_string(), expected);
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    refused("duratoin = 1", 1, 1, "unknown field `duratoin`", "`duration`");
    refused("[[bodies]]\n", 1, 3, "unknown field `bodies`", "`body`");
    body_refused("material = \"oka\"", 12, "no material called `oka`", "`oak`");
    body_refused("material = { like = \"ruber\" }", 21, "no material called `ruber`", "`rubber`");
    body_refused("omega = [0, 0, 1]", 1, "unknown field `omega`", "`spin`");
    body_refused("rigid = { body = \"b\" }", 18, "no body called `b`", "`a`");
    body_refused("rigid = \"automatik\"", 9, "`automatik` is not known", "`automatic`");
    refused("integrator = \"verlett\"", 1, 14, "`verlett` is not known", "`verlet`");
    refused("law = \"hybrid\"", 1, 7, "not available yet", "connections");
    refused("[[probe]]\nquantity = \"positoin\"", 2, 12, "`positoin` is not known", "`position`");
    refused("[[fix]]\nbody = \"beam\"", 2, 8, "no body called `beam`", "");
}

#[test]
fn wrong_types_and_units_say_what_was_expected() {
    refused("duration = \"3 m\"", 1, 12, "\"3 m\" is a length, not a time", "1.5 s");
    refused("duration = [1]", 1, 12, "expected a time", "");
    refused("duration = true", 1, 12, "found `true` or `false`", "");
    refused("title = \"a\\nb\"", 1, 9, "several lines", "");
    refused("title = 3", 1, 9, "expected a text, found a number", "");
    body_refused("at = [0, \"1 kg\", 0]", 10, "is a mass, not a length", "2 cm");
    body_refused("at = [0, 0]", 6, "found 2 entries", "");
    body_refused("at = 3", 6, "expected three numbers in m", "");
    body_refused("spin = [0, 0, \"60 Hz\"]", 15, "is a rate, not an angular velocity", "60 rpm");
    body_refused("cells = \"four\"", 9, "expected a whole number", "");
    refused("body = 3", 1, 8, "expected tables `[[body]]`", "");
    refused("material = 3", 1, 12, "expected tables `[material.NAME]`", "");
}

#[test]
fn impossible_values_are_refused() {
    for bad in
        ["0", "-1", "nan", "inf", "-inf", "1e300", "1e400", "\"-2 s\"", "99999999999999999999999999999999999999999999"]
    {
        refused(&format!("duration = {bad}"), 1, 12, "`duration`", "1.5 s");
    }
    refused("[[body]]\nshape = { box = [1, 0, 1] }", 2, 21, "must be larger than zero", "");
    body_refused("mass = -3", 8, "must be larger than zero, but is -3 kg", "");
    body_refused("material = { density = 0 }", 24, "must be larger than zero", "");
    body_refused("material = { friction_combine = \"minimal\" }", 33, "minimal", "`minimum`");
    refused("constraint = { restitution_law = \"poison\" }", 1, 34, "poison", "`poisson`");
    body_refused("material = { poisson = 0.5 }", 24, "must be from 0 to 0.499", "");
    body_refused("cells = 0", 9, "from 1 to 10000, found 0", "");
    body_refused("cells = 2.5", 9, "found 2.5", "");
    body_refused("restitution = 1.5", 15, "must be from 0 to 1", "");
    body_refused("friction = { static = 0.3, dynamic = 0.4 }", 12, "cannot exceed static", "");
}

#[test]
#[should_panic(expected = "wanted")]
fn the_checks_of_this_file_can_fail() {
    refused("duration = 0", 1, 12, "something else", "");
}

#[test]
fn scenes_with_too_many_elements_or_frames_are_refused_with_the_figure() {
    refused(&format!("{BODY}cells = 1000\n"), 5, 9, "1.00e9 elements", "fewer `cells`");
    refused("duration = \"10 h\"\nframe = \"1 us\"", 2, 9, "36000000000 frames", "");
    refused("[[body]]\nshape = { chain = { count = 2000000, spacing = 1, radius = 1 } }", 2, 29, "to 1000000", "");
}

#[test]
fn bodies_with_wrong_shapes_or_inertia_are_refused() {
    refused("[[body]]\nname = \"cow\"", 1, 1, "the field `shape` is missing", "box");
    refused("[[body]]\nshape = \"cou\"", 2, 9, "`cou` is not known here", "cow");
    refused("[[body]]\nshape = { box = [1, 1, 1], ball = { radius = 1 } }", 2, 35, "exclude each other", "keep one");
    refused("[[body]]\nshape = { elements = [] }", 2, 22, "list of elements is empty", "");
    refused("[[body]]\nshape = { ball = { radius = 1 } }\ncells = 3", 3, 9, "`cells` belongs to a shape of `box`", "");
    body_refused("inertia = [1, 1, 1]", 11, "rigid as a whole", "rigid = true");
    refused(
        &format!("{BODY}rigid = true\ninertia = [1, 1, 3]"),
        6,
        11,
        "no body has this inertia",
        "sum of the other two",
    );
    refused(&format!("{BODY}rigid = true\ninertia = [[1, 0, 0], [1, 1, 0], [0, 0, 1]]"), 6, 11, "symmetric", "");
}

#[test]
fn joints_are_checked() {
    let bodies = "[[body]]\nname = \"a\"\nshape = { exact = { sphere = { radius = 1 } } }\n[[joint]]\na = \"a\"\n";
    let joint = |kind: &str, added: &str| format!("{bodies}at = [0, 0, 0]\nkind = \"{kind}\"\n{added}\n");
    refused(&joint("ball", "axis = [1, 0, 0]"), 8, 8, "no axis", "hinges and sliders");
    refused(&joint("hinge", "to = [1, 0, 0]"), 8, 6, "one place", "a distance");
    refused(&joint("hinge", "restitution = 0.5"), 8, 15, "no stops", "`limits`");
    refused(&joint("hinge", "limits = [-1, 1]\nrestitution = 1.5"), 9, 15, "from 0 to 1", "");
    refused(&joint("hinge", "limits = [1, -1]"), 8, 10, "is not below", "smaller limit first");
    refused(
        &joint("hinge", "motor = { speed = 1, stiffness = 9 }"),
        8,
        34,
        "`speed` has no `stiffness`",
        "leave it out",
    );
    refused(&joint("hinge", "motor = { force = 1, most = 9 }"), 8, 29, "`force` has no `most`", "leave it out");
}

#[test]
fn a_spring_of_a_motor_that_cannot_be_is_one_mistake() {
    let bodies = "[[body]]\nname = \"a\"\nshape = { exact = { sphere = { radius = 1 } } }\n[[joint]]\na = \"a\"\n";
    for stiffness in ["-5", "1e300", "inf"] {
        let motor = format!("motor = {{ position = 1, stiffness = {stiffness} }}");
        let text = format!("{bodies}at = [0, 0, 0]\nkind = \"hinge\"\n{motor}\n");
        refused(&text, 8, 37, "", "");
        assert_eq!(problems(&text).len(), 1, "{:?}", problems(&text));
    }
}

#[test]
fn a_body_has_at_most_as_many_copies_as_bodies_have_numbers() {
    let copies = |count: &str| format!("{BODY}copies = {{ count = {count} }}\n");
    refused(&copies("65536"), 5, 20, "65535", "");
    refused(&copies("[300, 300, 1]"), 5, 20, "more than 65535 copies", "");
    assert_eq!(read("test.toml", &copies("[255, 257, 1]")).unwrap().setup.bodies.len(), 65_535);
}

#[test]
fn a_probe_reads_a_joint_by_its_name() {
    let joint = "[[joint]]\nname = \"j\"\nkind = \"hinge\"\na = \"a\"\nat = [0, 0, 0]\n";
    let scene = |probe: &str| {
        format!("[[body]]\nname = \"a\"\nshape = {{ exact = {{ box = [1, 1, 1] }} }}\n{joint}[[probe]]\n{probe}\n")
    };
    let setup = read("test.toml", &scene("joint = \"j\"")).unwrap().setup;
    let sim = kreisel::Simulation::new(&setup).unwrap();
    let names = kreisel::readout::probe::column_names(sim.model());
    assert_eq!(names, ["j.coordinate", "j.speed", "j.effort", "j.force", "j.torque"]);
    refused(&scene("quantity = \"joint\""), 10, 12, "by name", "joint");
    refused(&scene("joint = \"j\"\nquantity = \"spin\""), 11, 12, "by name", "joint");
    let setup = read("test.toml", &scene("joint = \"k\"")).unwrap().setup;
    let error = kreisel::Simulation::new(&setup).unwrap_err();
    assert!(error.message.contains("no joint") && error.help.contains('j'), "{error}");
}

#[test]
fn exact_shapes_are_checked_and_named_as_they_were_written() {
    let shape = |shape: &str| format!("[[body]]\nshape = {{ exact = {{ {shape} }} }}\n");
    refused(&shape("capsule = { radius = 1 }"), 2, 31, "`height` is missing in shape.capsule", "height");
    refused(&shape("capsule = { radius = 1, height = 1 }"), 2, 31, "as high as its two round ends", "includes");
    refused(&shape("mesh = 3"), 2, 28, "path of a mesh file", "part.stl");
    let ball = read("test.toml", &shape("capsule = { radius = 1, height = 2 }")).unwrap().setup;
    let BodyShape::Exact { parts, .. } = &ball.bodies[0].shape else { panic!("{:?}", ball.bodies[0].shape) };
    assert_eq!(parts[0].shape, Shape::Sphere { radius: 1.0 });
}

#[test]
fn lists_of_elements_are_checked() {
    let list = |elements: &str, connections: &str| {
        format!("[[body]]\n[body.shape]\nelements = [{elements}]\nconnections = [{connections}]\n")
    };
    let two = "{ radius = 1 }, { radius = 1, at = [3, 0, 0] }";
    refused(&list(two, "{ ends = [0, 2] }"), 4, 29, "there are 2 elements", "");
    refused(&list(two, "{ ends = [1, 1] }"), 4, 25, "two different elements", "");
    refused(&list(two, "{ ends = [0] }"), 4, 25, "two ends", "");
    refused(&list(two, "{ ends = [0, 1] }, { ends = [1, 0] }"), 4, 35, "connected twice", "");
    refused(&list("{ radius = 1 }, { radius = 2 }", ""), 3, 29, "0 and 1 are at the same place", "");
    refused(&list("{ at = [0, 0, 0] }", ""), 3, 13, "`radius` is missing", "radius = ");
}

#[test]
fn names_and_references_are_checked() {
    refused(&format!("{BODY}{BODY}"), 6, 8, "two of `body` with the name `a`", "line 2");
    refused("[[body]]\nname = \"all\"\nshape = { box = [1, 1, 1] }", 2, 8, "`all` cannot be a name", "");
    refused(&format!("{BODY}split = {{ a = {{ x = {{ above = 0 }} }} }}"), 5, 11, "two of `body`", "line 2");
    refused("[material.a]\nlike = \"b\"\n[material.b]\nlike = \"a\"", 2, 8, "like itself: b → a → b", "");
    refused("[material.a]\nlike = \"a\"", 2, 8, "like itself", "");
    refused(&format!("{BODY}[[at]]\ntime = 0\nmake_soft = \"beam\""), 7, 13, "no body called `beam`", "`a`");
    refused(&format!("{BODY}[[at]]\ntime = 0"), 5, 1, "nothing happens", "make_soft");
    refused(&format!("{BODY}[[at]]\nmake_soft = \"a\""), 5, 1, "`time` is missing", "1.5 s");
    refused(&format!("{BODY}[[probe]]\nelement = 3"), 6, 11, "needs its body", "");
    refused(
        "[[body]]\nname = \"c\"\nshape = { ball = { radius = 1 } }\nfix = { element = 1 }",
        4,
        19,
        "`c` has 1 elements",
        "",
    );
}

#[test]
fn regions_and_loads_are_checked() {
    body_refused("rigid = { }", 9, "the region is empty", "above");
    body_refused("rigid = { x = { } }", 15, "the bounds are empty", "above");
    body_refused("rigid = { x = { above = 1, below = 0 } }", 15, "wrong way round", "");
    body_refused("rigid = { any = [] }", 17, "list of regions is empty", "");
    body_refused("rigid = { half_space = { normal = [0, 0, 0] } }", 35, "direction cannot be zero", "");
    body_refused("rigid = 3", 9, "expected a region", "");
    refused("[[load]]\nforce = [1, 0, 0]", 1, 1, "on what the force acts", "where");
    refused("[[load]]\nforce = [1, 0, 0]\npressure = 1", 3, 12, "exclude each other", "");
    refused("[[fix]]\naxes = \"xw\"\nwhere = \"all\"", 2, 8, "`w` is not an axis", "xz");
    refused("[[fix]]\naxes = \"x\"", 1, 1, "what is held", "body");
    refused("[[grab]]\nat = [0, 0, 0]\nstiffness = 1", 1, 1, "one of `target`, `path`", "");
    refused("[[obstacle]]\nname = \"x\"", 1, 1, "one of `plane`, `box`, `sphere`", "");
    refused("[[load]]\nwhere = \"all\"\nforce = [1, 0, 0]\nprofile = { ramp = [2, 1] }", 4, 20, "before it starts", "");
    refused(
        "[[load]]\nwhere = \"all\"\nforce = [1, 0, 0]\nprofile = { table = [[0, 1], [0, 2]] }",
        4,
        30,
        "must ascend",
        "",
    );
}

#[test]
fn several_mistakes_are_found_at_once_in_the_order_of_the_file() {
    let text = "duration = -1\nfoo = 1\n[[body]]\nshape = { box = [0, 1, 1] }\nmaterial = \"oka\"\n";
    let lines: Vec<usize> = problems(text).iter().map(|p| p.line).collect();
    assert_eq!(lines, [1, 2, 4, 5]);
    let many: String = (0..1000).map(|i| format!("unknown{i} = 1\n")).collect();
    assert_eq!(problems(&many).len(), 20);
}

#[test]
fn what_is_not_toml_is_pointed_at() {
    let p = &problems("duration = 1\ngravity = [0, 0\n[[body]]\n")[0];
    assert!(p.message.starts_with("this is not TOML") && p.line >= 2, "{p}");
    let p = &problems("duration = 1\nduration = 2\n")[0];
    assert!(p.message.contains("duplicate key") && (p.line, p.column) == (2, 1), "{p}");
}

#[test]
fn deep_nesting_is_refused_before_it_can_exhaust_the_stack() {
    let texts = [
        format!("a = {}", "[".repeat(1_000_000)),
        format!("a = {}1{}", "[".repeat(100), "]".repeat(100)),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("a{} = 1", ".a".repeat(1_000_000)),
        format!("[a{}]", ".a".repeat(1_000_000)),
        format!("a = {}", "{a.a.a.a.a.a=".repeat(60)),
    ];
    for text in &texts {
        assert!(problems(text)[0].message.contains("nested more than 64 deep"), "{}", &text[..20]);
    }
}

fn message(result: Result<kreisel_scene::Scene, SceneError>) -> String {
    result.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn bytes_that_are_no_text_and_files_that_are_too_large_are_refused() {
    assert!(message(read_bytes("x", &[b'a', 0xff, 0xfe])).contains("not UTF-8 text (byte 1 is invalid)"));
    assert!(message(read_bytes("x", &vec![b'#'; (64 << 20) + 1])).contains("larger than 64 MiB"));
    assert!(message(read_path("/no/such/file.toml")).contains("cannot be read"));
    assert!(message(read_path("/")).contains("cannot be read"));
    if std::path::Path::new("/dev/zero").exists() {
        assert!(message(read_path("/dev/zero")).contains("larger than 64 MiB"), "an endless file ends");
    }
}

fn warnings(text: &str) -> Vec<String> {
    read("test.toml", text).unwrap_or_else(|e| panic!("{e}")).warnings.iter().map(|w| w.message.clone()).collect()
}

#[test]
fn values_that_are_probably_in_another_unit_are_warned_of() {
    let cases = [
        ("[[body]]\nshape = { box = [2000, 400, 200] }", "2000 m large"),
        ("[[body]]\nshape = { box = [0.00005, 0.001, 0.001] }", "thick"),
        ("[[body]]\nshape = { box = [1, 1, 1] }\nmaterial = { density = 7.85 }", "density of 7.85"),
        ("[[body]]\nshape = { box = [1, 1, 1] }\nmaterial = { young = 2 }", "softer than any solid"),
        ("gravity = [0, 0, -9810]", "gravity is 9810"),
        ("duration = 100000", "the run takes 100000 s"),
        ("[[body]]\nname = \"a\"\nshape = { box = [1, 1, 1] }\n[[at]]\ntime = 5\nmake_rigid = \"a\"", "never reached"),
        ("[[body]]\nshape = { box = [1, 1, 1] }\nrotation = [2, 0, 0, 0]", "length 2"),
    ];
    for (text, expected) in cases {
        let found = warnings(text);
        assert!(found.iter().any(|w| w.contains(expected)), "{text}\n{found:?}");
    }
    assert!(warnings(BODY).is_empty());
}

#[test]
fn what_is_found_while_the_model_is_built_can_be_pointed_at() {
    let scene = read("test.toml", BODY).unwrap();
    let e = scene.source.error_at("body[0].shape", "it overlaps with another", None);
    assert_eq!((e.problems[0].line, e.problems[0].column), (3, 9));
    assert_eq!(e.problems[0].field, "body[0].shape");
}

#[test]
fn materials_say_how_they_combine_and_what_they_are_like_passes_it_on() {
    let text = "contact = { friction = \"multiply\" }\nconstraint = { restitution_law = \"poisson\" }\n\
                [material.base]\nfriction_combine = \"minimum\"\n\
                [material.ice]\nlike = \"base\"\nrestitution_combine = \"maximum\"\n\
                [[body]]\nshape = { box = [1, 1, 1] }\nmaterial = \"ice\"\n";
    let setup = read("test.toml", text).unwrap().setup;
    let ice = &setup.bodies[0].material;
    assert_eq!((ice.friction_combine, ice.restitution_combine), (Some(Combine::Minimum), Some(Combine::Maximum)));
    assert_eq!((setup.contact.friction, setup.contact.restitution), (Combine::Multiply, Combine::Average));
    assert_eq!(setup.constraint.restitution_law, RestitutionLaw::Poisson);
    let plain = read("test.toml", BODY).unwrap().setup;
    assert_eq!(plain.bodies[0].material.friction_combine, None);
    assert_eq!(plain.constraint.restitution_law, RestitutionLaw::Newton);
}
