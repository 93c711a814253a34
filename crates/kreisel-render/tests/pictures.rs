//! Pictures show what is there: sizes, order of depth, shadows; the same bits for any number of threads.
#![allow(clippy::unwrap_used)]

use kreisel::DVec3;
use kreisel_render::raster::render;
use kreisel_render::{Ball, Camera, Drawing, Ground, Picture, Rgb, Rod};

const RED: Rgb = Rgb([0.9, 0.0, 0.0]);
const BLUE: Rgb = Rgb([0.0, 0.0, 0.9]);

fn camera() -> Camera {
    Camera { eye: DVec3::new(0.0, -10.0, 0.0), target: DVec3::ZERO, field_of_view: 0.6 }
}

fn ball(centre: DVec3, radius: f64, colour: Rgb) -> Ball {
    Ball { centre, radius, colour }
}

fn count(picture: &Picture, wanted: impl Fn([u8; 3]) -> bool) -> usize {
    picture.bytes.as_chunks::<3>().0.iter().filter(|p| wanted(**p)).count()
}

fn is_red([r, g, b]: [u8; 3]) -> bool {
    u32::from(r) > u32::from(g) + 30 && u32::from(r) > u32::from(b) + 30
}

fn is_blue([r, g, b]: [u8; 3]) -> bool {
    u32::from(b) > u32::from(r) + 40 && u32::from(b) > u32::from(g) + 40
}

/// A heap of balls and rods in some disorder, on the ground.
fn heap(balls: usize) -> Drawing {
    let mut drawing = Drawing::default();
    let mut seed = 1u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / f64::from(1u32 << 31)
    };
    for k in 0..balls {
        let centre = DVec3::new(random() - 0.5, random() - 0.5, random()) * 2.0;
        drawing.balls.push(ball(centre, 0.05, Rgb([0.3, 0.5, (k % 7) as f32 * 0.1])));
    }
    drawing.rods.push(Rod { ends: [DVec3::new(-2.0, 0.0, 1.0), DVec3::X * 2.0], radius: 0.06, colours: [RED, BLUE] });
    drawing.add_flat([DVec3::new(-1.0, 1.0, 0.0), DVec3::new(1.0, 1.0, 0.0), DVec3::new(0.0, 1.0, 2.0)], BLUE);
    let ground = Ground { normal: DVec3::Z, offset: -0.1, colour: Rgb([0.5; 3]), grid: 0.5 };
    drawing.grounds.push(ground);
    drawing
}

#[test]
fn the_silhouette_of_a_ball_has_the_area_of_its_cone_of_sight() {
    let drawing = Drawing { balls: vec![ball(DVec3::ZERO, 1.0, RED)], ..Drawing::default() };
    let picture = render(&drawing, &camera(), 320, 240);
    // The cone that touches the ball has sin α = r/D; its circle in the picture has the radius f tan α.
    let scale = 120.0 / 0.3f64.tan();
    let radius = scale * (0.1f64).asin().tan();
    let area = std::f64::consts::PI * radius * radius;
    let found = count(&picture, is_red) as f64;
    assert!((found - area).abs() < 0.03 * area, "{found} {area}");
}

#[test]
fn a_rod_is_as_long_and_thick_as_it_should_be() {
    let rod = Rod { ends: [DVec3::new(-1.0, 0.0, 0.0), DVec3::X], radius: 0.1, colours: [RED; 2] };
    let picture = render(&Drawing { rods: vec![rod], ..Drawing::default() }, &camera(), 320, 240);
    let scale = 120.0 / 0.3f64.tan() / 10.0;
    let area = scale * scale * (2.0 * 0.2 + std::f64::consts::PI * 0.01);
    let found = count(&picture, is_red) as f64;
    assert!((found - area).abs() < 0.08 * area, "{found} {area}");
}

#[test]
fn what_is_nearer_hides_what_is_farther_whatever_the_order() {
    let (near, far) = (ball(DVec3::new(0.0, -2.0, 0.0), 0.5, RED), ball(DVec3::new(0.0, 2.0, 0.0), 0.5, BLUE));
    for balls in [vec![near, far], vec![far, near]] {
        let picture = render(&Drawing { balls, ..Drawing::default() }, &camera(), 160, 120);
        assert!(is_red(picture.pixel(80, 60)));
        assert_eq!(count(&picture, is_blue), 0);
    }
    let mut behind = Drawing { balls: vec![far], ..Drawing::default() };
    let wall = [DVec3::new(-3.0, 0.0, -3.0), DVec3::new(3.0, 0.0, -3.0), DVec3::new(0.0, 0.0, 5.0)];
    behind.add_flat(wall, RED);
    let picture = render(&behind, &camera(), 160, 120);
    assert!(is_red(picture.pixel(80, 60)) && count(&picture, is_blue) == 0);
}

#[test]
fn a_wall_that_goes_past_the_camera_is_cut_off_there_and_covers_half_the_picture() {
    let mut drawing = Drawing::default();
    let (low, high) = (-100.0, 100.0);
    drawing.add_flat([DVec3::new(0.001, low, low), DVec3::new(0.001, high, low), DVec3::new(0.001, 0.0, 900.0)], RED);
    let camera = Camera { eye: DVec3::new(-1.0, -10.0, 0.0), ..camera() };
    let picture = render(&drawing, &camera, 160, 120);
    assert!(is_red(picture.pixel(159, 60)) && !is_red(picture.pixel(2, 60)));
}

#[test]
fn a_ball_above_the_ground_throws_a_shadow_and_the_ground_far_away_is_lit() {
    let ground = Ground { normal: DVec3::Z, offset: 0.0, colour: Rgb([0.5; 3]), grid: 1e9 };
    let camera = Camera { eye: DVec3::new(0.0, -8.0, 6.0), ..camera() };
    let balls = vec![ball(DVec3::Z, 0.4, RED)];
    let picture = render(&Drawing { grounds: vec![ground], balls, ..Drawing::default() }, &camera, 160, 120);
    let sum = |p: [u8; 3]| p.iter().map(|&c| u32::from(c)).sum::<u32>();
    let lit = sum(picture.pixel(5, 115));
    assert!(sum(picture.pixel(155, 115)).abs_diff(lit) < 20);
    let dark = count(&picture, |p| sum(p) + 90 < lit && !is_red(p)) as f64;
    // The sun is 36° from the zenith: the shadow is an ellipse of 1.2 times the ball's disc, seen at a slant.
    let scale = 60.0 / 0.3f64.tan() / 10.0;
    let area = std::f64::consts::PI * (0.4 * scale).powi(2) * 1.2 * 0.6;
    assert!((0.4 * area..1.8 * area).contains(&dark), "{dark} {area}");
}

#[test]
fn the_picture_does_not_depend_on_the_number_of_threads() {
    let drawing = heap(300);
    let camera = Camera { eye: DVec3::new(2.0, -6.0, 3.0), target: DVec3::Z, field_of_view: 0.6 };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| render(&drawing, &camera, 201, 155))
    };
    let one = with(1);
    assert_eq!((one.width, one.height, one.bytes.len()), (201, 155, 3 * 201 * 155));
    assert_eq!(one, with(2));
    assert_eq!(one, with(5));
}

#[test]
fn nonsense_is_drawn_without_harm() {
    let huge = ball(DVec3::splat(1e300), 1e299, RED);
    let nowhere = ball(DVec3::splat(f64::NAN), 1.0, RED);
    let around = ball(DVec3::new(0.0, -10.0, 0.0), 3.0, RED);
    let rod = Rod { ends: [DVec3::NEG_Y * 30.0, DVec3::Y * 30.0], radius: 0.0, colours: [RED; 2] };
    let flat = [DVec3::ONE; 3];
    let mut drawing = Drawing { balls: vec![huge, nowhere, around], rods: vec![rod], ..Drawing::default() };
    drawing.add_flat(flat, BLUE);
    drawing.add_flat([DVec3::splat(f64::INFINITY), DVec3::ZERO, DVec3::X], BLUE);
    assert_eq!(render(&drawing, &camera(), 33, 17).bytes.len(), 3 * 33 * 17);
    let same_place = Camera { eye: DVec3::ZERO, target: DVec3::ZERO, field_of_view: 0.6 };
    assert_eq!(render(&Drawing::default(), &same_place, 40, 30).bytes.len(), 3600);
}
