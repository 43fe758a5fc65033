"""Rules on what makes results approximations: SEEP3xx."""

from __future__ import annotations

from seepage.diagnostics import Severity
from seepage.rules.registry import rule

PRODUCT_OF_CONTINUOUS = rule(
    "SEEP301",
    "product-of-continuous",
    Severity.INFORMATION,
    "two continuous variables are multiplied",
    "The product of two Gaussian variables is not Gaussian: condition i) of the paper's proposition on exactness "
    "asks for linear assignments. The analysis goes on with a Gaussian of the same mean and covariance, and numbers "
    "that depend on it are marked *approximate*, unless exact laws "
    "can be integrated; approximate ones may show no leak where there is one."
    "\n\nWhat to do: nothing, if an approximation is enough. A product with a discrete factor is exact: model a "
    "factor that takes a few values only as discrete.",
    "x ~ normal(0, 1)\ny ~ normal(0, 1)\nz := x * y",
)
NONLINEAR_FUNCTION = rule(
    "SEEP302",
    "nonlinear-function",
    Severity.INFORMATION,
    "a nonlinear function of a continuous variable",
    "Only linear functions of Gaussian variables are Gaussian (condition i) of the paper's proposition on "
    "exactness). The analysis goes on with a Gaussian of the same moments where it can, and numbers that depend on "
    "it are marked *approximate*, "
    "unless exact laws can be integrated. No Gaussian stands for what `floor` and `ceil` give: its chances are known, "
    "or there is no number."
    "\n\nWhat to do: ask about the variable itself: mutual information is the same before and after an invertible "
    "function such as `exp`.",
    "x ~ normal(0, 1)\ny := exp(x)",
)
NOT_GAUSSIAN = rule(
    "SEEP303",
    "not-gaussian",
    Severity.INFORMATION,
    "a continuous law that is no Gaussian mixture is sampled",
    "Condition ii) of the paper's proposition on exactness asks for Gaussian mixtures. The analysis takes the "
    "normal distribution of the same mean and variance instead, and numbers that depend on it are marked "
    "*approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: use `normal`, a mixture of normals, or a discrete distribution (a table on a grid, for "
    "instance), which all are exact.",
    "x ~ laplace(0, 1)",
)
OBSERVE_INEQUALITY = rule(
    "SEEP304",
    "observe-inequality",
    Severity.INFORMATION,
    "an inequality between continuous values is observed",
    "A Gaussian that is cut off is not Gaussian: condition iii) of the paper's proposition on exactness allows "
    "equalities, and conditions on discrete variables. The analysis goes on with the moments of the truncated "
    "distribution, and numbers that depend on it are marked *approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: observe a discrete variable instead, or the value itself (`x == 3`), if that is what is known.",
    "x ~ normal(0, 1)\nobserve(x > 0)",
)
BRANCH_ON_CONTINUOUS = rule(
    "SEEP305",
    "branch-on-continuous",
    Severity.INFORMATION,
    "a branch depends on a continuous variable",
    "Each branch gets a Gaussian that is cut off, which is not Gaussian: condition iv) of the paper's proposition "
    "on exactness asks for conditions on discrete variables. Numbers that depend on the branch are marked "
    "*approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: if the condition is a threshold on a sampled value and nothing else depends on that value, "
    "sample its outcome with `bernoulli`, which is exact.",
    "x ~ normal(0, 1)\nif x > 0 { y := 1 } else { y := 0 }",
)
COMPARISON_OF_CONTINUOUS = rule(
    "SEEP306",
    "comparison-of-continuous",
    Severity.INFORMATION,
    "the outcome of comparing continuous values is used as a value",
    "A comparison is a nonlinear function (condition i) of the paper's proposition on exactness): together with its "
    "outcome the compared variable is cut off on either side. Numbers that depend on it are marked *approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: if only the outcome matters, sample it with `bernoulli`, which is exact.",
    "x ~ normal(0, 1)\ny := x > 0",
)
VARIANCE_DEPENDS_ON_CONTINUOUS = rule(
    "SEEP307",
    "variance-depends-on-continuous",
    Severity.INFORMATION,
    "the variance of a normal depends on a continuous variable",
    "A normal distribution whose spread is itself continuous is no finite Gaussian mixture (condition ii) of the "
    "paper's proposition on exactness). Numbers that depend on it are marked *approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: let the variance depend on discrete variables and parameters only, for instance on one of a few "
    "levels.",
    "x ~ normal(0, 1)\ny ~ normal(0, x^2)",
)
NONLINEAR_MEAN = rule(
    "SEEP308",
    "nonlinear-mean",
    Severity.INFORMATION,
    "the mean of a normal is nonlinear in a continuous variable",
    "`y ~ normal(e, v)` is `y := e` plus independent noise, and so exact where `e` is linear in continuous "
    "variables (condition i) of the paper's proposition on exactness). Numbers that depend on it are marked "
    "*approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: use a linear mean, or a discrete variable in place of the continuous one.",
    "x ~ normal(0, 1)\ny ~ normal(x^2, 1)",
)
PARAMETER_DEPENDS_ON_CONTINUOUS = rule(
    "SEEP309",
    "parameter-depends-on-continuous",
    Severity.INFORMATION,
    "a distribution's parameter or weight depends on a continuous variable",
    "Parameters of discrete distributions and weights of mixtures may depend on discrete variables and parameters; "
    "a continuous one leaves the Gaussian mixtures (condition ii) of the paper's proposition on exactness). Numbers "
    "that depend on it are marked *approximate*, or are missing; but chances that are drawn from `beta`, `uniform` or `dirichlet` are averaged over exactly."
    "\n\nWhat to do: make the probability depend on a discrete variable.",
    "x ~ normal(0, 1)\ny ~ bernoulli(min(1, max(0, x)))",
)
EQUALITY_OF_CONTINUOUS = rule(
    "SEEP310",
    "equality-of-continuous",
    Severity.WARNING,
    "continuous values are compared for equality",
    "Two continuous values are equal with probability 0, unless one is computed from the other or one has atoms. "
    "Only as a linear equality in an `observe`, or in an event of a measure, does `==` condition on the density."
    "\n\nWhat to do: compare with `<` and `<=`, compare discrete variables, or `observe` the equality.",
    "x ~ normal(0, 1)\nif x == 0 { y := 1 }",
)
NONLINEAR_EQUALITY = rule(
    "SEEP311",
    "nonlinear-equality",
    Severity.ERROR,
    "an observed equality is not linear in continuous variables",
    "Conditioning on an event of probability 0 depends on how the event is written: `x / y == 1` and `x - y == 0` "
    "hold for the same values and lead to different posteriors (the Borel-Kolmogorov paradox). A linear equality "
    "has one meaning, the density of the difference of its sides; this is how condition iii) of the paper's "
    "proposition on exactness is to be read."
    "\n\nWhat to do: write the equality so that both sides are linear, if that is what is meant.",
    "x ~ normal(0, 1)\ny ~ normal(0, 1)\nobserve(x / y == 1)",
)
DIVISION_BY_CONTINUOUS = rule(
    "SEEP312",
    "division-by-continuous",
    Severity.INFORMATION,
    "something is divided by a continuous variable",
    "The quotient of Gaussian variables is not Gaussian, and often has no mean, so that no normal can stand in for it: "
    "condition i) of the paper's proposition on exactness asks for linear assignments. What depends on it has no "
    "number, or an *approximate* one."
    "\n\nWhat to do: divide by a constant, a parameter or a discrete variable, which is exact. To compare a quotient "
    "with a number, compare the products: `x < 2 * y` for `x / y < 2` where `y` is positive.",
    "x ~ normal(0, 1)\ny := 1 / x",
)
CONDITIONAL_ON_CONTINUOUS = rule(
    "SEEP313",
    "conditional-on-continuous",
    Severity.INFORMATION,
    "a conditional expression depends on a continuous variable",
    "`if b then e1 else e2` with a comparison of continuous values in `b` cuts the compared variable off, as a branch "
    "does: condition iv) of the paper's proposition on exactness asks for conditions on discrete variables. Numbers "
    "that depend on it are marked *approximate*, "
    "unless exact laws can be integrated."
    "\n\nWhat to do: if the condition is a threshold on a sampled value and nothing else depends on that value, "
    "sample its outcome with `bernoulli`, which is exact.",
    "x ~ normal(0, 1)\ny := if x > 0 then 1 else 2",
)
INDEX_ON_CONTINUOUS = rule(
    "SEEP314",
    "index-on-continuous",
    Severity.INFORMATION,
    "an index may be continuous",
    "A random index picks an element for each of its values, so the values must be listed: an index is discrete. Here "
    "it is continuous on some path through the program, where it picks no element. What depends on it may have no "
    "number."
    "\n\nWhat to do: make the index discrete on every path.",
    "a[0] := 3\na[1] := 5\nb ~ bernoulli(1/2)\nk := 1\nif b { k ~ normal(0, 1) }\nif !b { x := a[k] }",
)
