# Targets of the workflow; `snakemake --cores all` makes the first one. The steps are in workflow/rules/.


configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/derive.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/summary.smk"
include: "workflow/rules/check.smk"
include: "workflow/rules/alt_test.smk"
include: "workflow/rules/judgemoe.smk"


# Inference enters the plan only when the configuration asks for it: released records are plain source files.
if "judge" in config:

    include: "workflow/rules/judge.smk"
    include: "workflow/rules/throughput.smk"


rule all:
    default_target: True
    input:
        all_suites(suite_derived),
        expand("results/{suite}/{file}", suite=config["suites"], file=["index.md", "report.html"]),
        expand("results/{suite}/check.txt", suite=config["check"]),
        expand(
            "results/{study}/{file}",
            study=config.get("studies", []),
            file=["index.md", "report.html", "check.txt"],
        ),
    message:
        "All of the configured suites and studies"


rule derive:
    input:
        all_suites(suite_derived),
