"""Absolute evidence that a record answers a query, comparable across queries, unlike ranks and fused scores."""

import math

LEAST_DEVIATION = 1e-6


def confidence(coverage: float, cosine: float | None, typical: tuple[float, float] | None) -> float:
    """Turn a record's evidence into one number.

    Half of it is `coverage`; the other half is how near the record is to the query, as a logistic function of the
    standard deviations that its cosine lies above what two records of this memory usually have. A memory of fewer than
    two vectors has nothing to compare with, and counts as usual.

    Parameters
    ----------
    coverage : float
        Share of the query's idf that the record's terms cover, 0..1.
    cosine : float or None
        Cosine of the record to the query; None without a dense leg, and then coverage is all there is.
    typical : (mean, standard deviation) or None
        Cosines between the records of a fixed sample of the memory.

    Returns
    -------
    float
        0..1, higher is more certain.

    Examples
    --------
    >>> confidence(0.4, None, None)
    0.4
    >>> confidence(1.0, 0.86, (0.86, 0.03)) == 0.5 * 1.0 + 0.5 * 0.5
    True
    """
    if cosine is None:
        return coverage
    if typical is None:
        return 0.5 * coverage + 0.5 * 0.5
    mean, deviation = typical
    above = (cosine - mean) / max(deviation, LEAST_DEVIATION)
    return 0.5 * coverage + 0.5 / (1 + math.exp(-max(-500.0, min(500.0, above))))
