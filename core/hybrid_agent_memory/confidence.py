"""Absolute evidence that a record answers a query, comparable across queries, unlike ranks and fused scores."""

import math

NO_BACKGROUND = 1e-6


def confidence(coverage: float, cosine: float | None, background: tuple[float, float] | None) -> float:
    """Turn a record's evidence into one number.

    Parameters
    ----------
    coverage : float
        Share of the query's idf that the record's terms cover, 0..1.
    cosine : float or None
        Cosine of the record to the query; None without a dense leg.
    background : (mean, standard deviation) or None
        Cosines of the query to a fixed sample of the namespace.

    Returns
    -------
    float
        0..1, higher is more certain; grows with coverage and with the cosine's distance from the background.

    Examples
    --------
    >>> confidence(0.0, None, None)
    0.0
    >>> confidence(1.0, 0.9, (0.8, 0.02)) > confidence(0.5, 0.85, (0.8, 0.02))
    True
    """
    if cosine is None or background is None:
        return coverage
    mean, deviation = background
    distance = (cosine - mean) / max(deviation, NO_BACKGROUND)
    return 0.5 * coverage + 0.5 / (1 + math.exp(min(3 - distance, 700)))
