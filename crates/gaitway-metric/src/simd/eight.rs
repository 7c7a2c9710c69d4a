//! Eight double-precision lanes for the exact value of a candidate, the same bits on every processor: no fused
//! multiply-adds, and lanes are summed in one order.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Lanes of the sums over markers.
pub(crate) const LANES: usize = 8;

/// Operations on eight lanes.
///
/// # Safety
/// Methods need the instruction set of the implementor; pointers must be valid for eight values.
trait Eight: Copy {
    type V: Copy;
    unsafe fn splat(x: f64) -> Self::V;
    unsafe fn load(p: *const f64) -> Self::V;
    unsafe fn add(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn sub(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn mul(a: Self::V, b: Self::V) -> Self::V;
    unsafe fn to_array(a: Self::V) -> [f64; LANES];
}

#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Wide;

#[cfg(target_arch = "x86_64")]
impl Eight for Wide {
    type V = __m512d;
    #[inline(always)]
    unsafe fn splat(x: f64) -> __m512d {
        unsafe { _mm512_set1_pd(x) }
    }
    #[inline(always)]
    unsafe fn load(p: *const f64) -> __m512d {
        unsafe { _mm512_loadu_pd(p) }
    }
    #[inline(always)]
    unsafe fn add(a: __m512d, b: __m512d) -> __m512d {
        unsafe { _mm512_add_pd(a, b) }
    }
    #[inline(always)]
    unsafe fn sub(a: __m512d, b: __m512d) -> __m512d {
        unsafe { _mm512_sub_pd(a, b) }
    }
    #[inline(always)]
    unsafe fn mul(a: __m512d, b: __m512d) -> __m512d {
        unsafe { _mm512_mul_pd(a, b) }
    }
    #[inline(always)]
    unsafe fn to_array(a: __m512d) -> [f64; LANES] {
        let mut out = [0.0; LANES];
        unsafe { _mm512_storeu_pd(out.as_mut_ptr(), a) };
        out
    }
}

#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Pair;

#[cfg(target_arch = "x86_64")]
impl Eight for Pair {
    type V = [__m256d; 2];
    #[inline(always)]
    unsafe fn splat(x: f64) -> [__m256d; 2] {
        unsafe { [_mm256_set1_pd(x); 2] }
    }
    #[inline(always)]
    unsafe fn load(p: *const f64) -> [__m256d; 2] {
        unsafe { [_mm256_loadu_pd(p), _mm256_loadu_pd(p.add(4))] }
    }
    #[inline(always)]
    unsafe fn add(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        unsafe { [_mm256_add_pd(a[0], b[0]), _mm256_add_pd(a[1], b[1])] }
    }
    #[inline(always)]
    unsafe fn sub(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        unsafe { [_mm256_sub_pd(a[0], b[0]), _mm256_sub_pd(a[1], b[1])] }
    }
    #[inline(always)]
    unsafe fn mul(a: [__m256d; 2], b: [__m256d; 2]) -> [__m256d; 2] {
        unsafe { [_mm256_mul_pd(a[0], b[0]), _mm256_mul_pd(a[1], b[1])] }
    }
    #[inline(always)]
    unsafe fn to_array(a: [__m256d; 2]) -> [f64; LANES] {
        let mut out = [0.0; LANES];
        unsafe {
            _mm256_storeu_pd(out.as_mut_ptr(), a[0]);
            _mm256_storeu_pd(out.as_mut_ptr().add(4), a[1]);
        }
        out
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Eight for Plain {
    type V = [f64; LANES];
    #[inline(always)]
    unsafe fn splat(x: f64) -> [f64; LANES] {
        [x; LANES]
    }
    #[inline(always)]
    unsafe fn load(p: *const f64) -> [f64; LANES] {
        unsafe { p.cast::<[f64; LANES]>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn add(a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        std::array::from_fn(|k| a[k] + b[k])
    }
    #[inline(always)]
    unsafe fn sub(a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        std::array::from_fn(|k| a[k] - b[k])
    }
    #[inline(always)]
    unsafe fn mul(a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
        std::array::from_fn(|k| a[k] * b[k])
    }
    #[inline(always)]
    unsafe fn to_array(a: [f64; LANES]) -> [f64; LANES] {
        a
    }
}

/// Windows of two clouds, `[frame][x z y][padded marker]`, marker weights and window weights.
pub(crate) struct Windows<'a> {
    pub a: &'a [f64],
    pub b: &'a [f64],
    pub sigma: &'a [f64],
    pub rho: &'a [f64],
}

#[inline(always)]
unsafe fn sums<E: Eight>(w: &Windows<'_>) -> [f64; 3] {
    let n = w.sigma.len();
    assert!(n.is_multiple_of(LANES) && w.a.len() == w.rho.len() * 3 * n && w.b.len() == w.a.len());
    // SAFETY: every load starts at most LANES before the end of its third of a frame, by the assertion.
    unsafe {
        let (mut re, mut im, mut up) = (E::splat(0.0), E::splat(0.0), E::splat(0.0));
        for (r, &rho) in w.rho.iter().enumerate() {
            let (a, b) = (w.a.as_ptr().add(r * 3 * n), w.b.as_ptr().add(r * 3 * n));
            let rho = E::splat(rho);
            for s in (0..n).step_by(LANES) {
                let weight = E::mul(rho, E::load(w.sigma.as_ptr().add(s)));
                let (ax, az) = (
                    E::mul(weight, E::load(a.add(s))),
                    E::mul(weight, E::load(a.add(n + s))),
                );
                let (bx, bz) = (E::load(b.add(s)), E::load(b.add(n + s)));
                let dy = E::sub(E::load(a.add(2 * n + s)), E::load(b.add(2 * n + s)));
                re = E::add(re, E::add(E::mul(ax, bx), E::mul(az, bz)));
                im = E::add(im, E::sub(E::mul(az, bx), E::mul(ax, bz)));
                up = E::add(up, E::mul(weight, E::mul(dy, dy)));
            }
        }
        [re, im, up].map(|v| E::to_array(v).iter().sum())
    }
}

/// Windowed Σ σ v conj(v′) (real, imaginary) and Σ σ (y − y′)².
pub(crate) fn window_sums(backend: super::Backend, w: &Windows<'_>) -> [f64; 3] {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    unsafe fn wide(w: &Windows<'_>) -> [f64; 3] {
        unsafe { sums::<Wide>(w) }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn pair(w: &Windows<'_>) -> [f64; 3] {
        unsafe { sums::<Pair>(w) }
    }
    // SAFETY: a `Backend` is only made by `KernelChoice::backend`, after asking the processor.
    match backend {
        #[cfg(target_arch = "x86_64")]
        super::Backend::Avx512 => unsafe { wide(w) },
        #[cfg(target_arch = "x86_64")]
        super::Backend::Avx2 => unsafe { pair(w) },
        super::Backend::Portable => unsafe { sums::<Plain>(w) },
    }
}
