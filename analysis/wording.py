"""What a panel's methods, verdicts and admissibility are called where people read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Methods by their key in the derived tier, in the order in which they are read.
METHODS = {
    "average_member": "average member",
    "unweighted": "unweighted majority",
    "dawid_skene": "Dawid-Skene",
    "accuracy_weighted": "accuracy-weighted",
    "log_odds_weighted": "log-odds-weighted",
    "best_cv": "best member (CV)",
    "oracle": "best member (oracle)",
    "stacked": "stacked panel",
}
#: What the stacked panel is set against.
AGAINST = ("best_cv", "oracle", "average_member", "unweighted", "dawid_skene")
#: Verdicts, each with what it means.
VERDICTS = {
    "clean win": "clean win. The stacked panel is clearly above its CV-best member and the oracle member too.",
    "win": "win. The stacked panel is clearly above its CV-best member, not clearly above the oracle member.",
    "tie": "tie. The sample resolves no difference between the stacked panel and its CV-best member.",
    "loss": "loss. The stacked panel is clearly below its CV-best member: use that member.",
    None: "undefined. The difference between the stacked panel and its CV-best member has no value.",
}


def call_in_words(call: Mapping[str, Any], n_members: int) -> str:
    """The admissibility call with the numbers that it rests on."""
    bars = call["thresholds"]
    words = {True: "admissible.", False: "not admissible.", None: "undecided."}[call["admissible"]]
    phi, worth = call["phi_bar"], call["n_eff"]
    correlation = f"undefined ({call.get('reason', '')})" if phi is None else f"{phi:.3f}"
    votes = "" if worth is None else f" The panel is worth {worth:.2f} independent votes of {n_members}."
    if worth is not None and worth > n_members:
        votes = (
            f" Its members' errors offset each other: by that correlation the panel is worth {worth:.2f} independent "
            f"votes, more than its {n_members}."
        )
    return (
        f"{words} {call['competent']} of {n_members} reach kappa {bars['kappa']:g} (at least {call['required']} "
        f"needed); mean error correlation {correlation} (at most {bars['phi']:g} needed).{votes}"
    )


def chance_in_words(ladder: Mapping[str, Any]) -> str:
    """What there is to say of a stacked panel that is no better than chance; empty of any other."""
    high = ladder["methods"]["stacked"]["kappa"]["high"]
    if ladder["at_chance"]:
        return "The stacked panel is at chance: its kappa interval spans 0 and lies near it."
    if high is not None and high < 0:
        return "The stacked panel is below chance: its whole kappa interval is."
    return ""
