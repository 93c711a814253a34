//! Sums of products as if in twice the digits: what each product and each sum loses by rounding is carried along. [ORO05]

/// A sum and what it has lost so far.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::linear) struct Twofold {
    sum: f64,
    lost: f64,
}

impl From<f64> for Twofold {
    fn from(sum: f64) -> Self {
        Self { sum, lost: 0.0 }
    }
}

impl Twofold {
    /// `self + a b`. The errors of the product and of the sum are numbers themselves [Dek71].
    #[inline(always)]
    pub(in crate::linear) fn add_product(&mut self, a: f64, b: f64) {
        let product = a * b;
        let next = self.sum + product;
        let part = next - self.sum;
        self.lost += ((self.sum - (next - part)) + (product - part)) + product_error(a, b, product);
        self.sum = next;
    }

    /// The sum in usual digits; what a sum beyond all numbers has lost cannot be told.
    pub(in crate::linear) fn sum(self) -> f64 {
        if self.lost.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

/// `a·b + c`.
pub(in crate::linear) fn sum_of_products(a: &[f64], b: &[f64], c: f64) -> f64 {
    let mut sum = Twofold::from(c);
    a.iter().zip(b).filter(|(a, b)| **a != 0.0 && **b != 0.0).for_each(|(a, b)| sum.add_product(*a, *b));
    sum.sum()
}

/// `a b − fl(a b)` from halves of 26 digits, whose products are exact; a fused instruction would do, but not every machine has one.
#[inline(always)]
fn product_error(a: f64, b: f64, product: f64) -> f64 {
    let halves = |x: f64| {
        let wide = 134_217_729.0 * x;
        let high = wide - (wide - x);
        (high, x - high)
    };
    let ((a1, a2), (b1, b2)) = (halves(a), halves(b));
    let error = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
    if error.is_finite() { error } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_products_keep_what_plain_ones_lose() {
        let (a, b) = ([1e16, 3.0, -1e16, 0.1], [1.0, 1.0, 1.0, 0.1]);
        assert_eq!(sum_of_products(&a, &b, 0.0), 3.0 + 0.1 * 0.1);
        let third = 1.0 / 3.0;
        let off = sum_of_products(&[third], &[3.0], -1.0);
        assert!(off < 0.0 && off > -1e-16, "a third is a little less than a third: {off:e}");
        assert_eq!(sum_of_products(&[1e300], &[1e300], 0.0), f64::INFINITY);
    }
}
