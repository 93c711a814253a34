//! A few numbers side by side: arithmetic that the compiler turns into one vector instruction per operation.

use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// Numbers in a block. Fixed, so that partial sums are the same whatever the width of the machine's registers.
pub(crate) const WIDTH: usize = 4;

/// `W` numbers; every operation acts on each of them alone, with IEEE rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lanes<const W: usize>(pub [f64; W]);

impl<const W: usize> Lanes<W> {
    /// The same number everywhere.
    #[inline(always)]
    pub fn splat(a: f64) -> Self {
        Self([a; W])
    }

    /// The numbers `a[at], a[at + 1], …`.
    #[inline(always)]
    pub fn load(a: &[f64], at: usize) -> Self {
        let mut lanes = [0.0; W];
        lanes.copy_from_slice(&a[at..at + W]);
        Self(lanes)
    }

    /// Writes all numbers to `a[at], a[at + 1], …`.
    #[inline(always)]
    pub fn store(self, a: &mut [f64], at: usize) {
        a[at..at + W].copy_from_slice(&self.0);
    }

    /// The larger of each number and `floor`; what is not a number stays so.
    #[inline(always)]
    pub fn at_least(self, floor: f64) -> Self {
        self.map(|a| if floor > a { floor } else { a })
    }

    /// The larger of two numbers, lane by lane.
    #[inline(always)]
    pub fn larger(self, other: Self) -> Self {
        self.with(other, |a, b| if a > b { a } else { b })
    }

    /// These numbers where `gate` is positive, zero elsewhere.
    #[inline(always)]
    pub fn where_positive(self, gate: Self) -> Self {
        self.with(gate, |a, g| if g > 0.0 { a } else { 0.0 })
    }

    /// Square roots.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }

    /// `1 / a`.
    #[inline(always)]
    pub fn reciprocal(self) -> Self {
        self.map(|a| 1.0 / a)
    }

    /// The sum, in a fixed order.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        self.0.iter().fold(0.0, |sum, a| sum + a)
    }

    /// The largest number, or zero.
    #[inline(always)]
    pub fn largest(self) -> f64 {
        self.0.iter().fold(0.0, |max, &a| if a > max { a } else { max })
    }

    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let mut out = self;
        for a in &mut out.0 {
            *a = f(*a);
        }
        out
    }

    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut out = self;
        for (a, b) in out.0.iter_mut().zip(other.0) {
            *a = f(*a, b);
        }
        out
    }
}

impl<const W: usize> Add for Lanes<W> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }
}

impl<const W: usize> Sub for Lanes<W> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }
}

impl<const W: usize> Mul for Lanes<W> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| a * b)
    }
}

impl<const W: usize> Div for Lanes<W> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.with(other, |a, b| a / b)
    }
}

impl<const W: usize> AddAssign for Lanes<W> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
