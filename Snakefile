# Targets of the workflow; `snakemake --cores all` makes the first one. The steps are in workflow/rules/.


configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/derive.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/check.smk"


# Inference enters the plan only when the configuration asks for it: released records are plain source files.
if "judge" in config:

    include: "workflow/rules/judge.smk"


rule all:
    default_target: True
    input:
        derived_files(),
        table_files(),
        figure_files(),
        check_files(),


rule derive:
    input:
        derived_files(),


rule tables:
    input:
        table_files(),


rule figures:
    input:
        figure_files(),
