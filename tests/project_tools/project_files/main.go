// Command project-check prints what BuildKit finds in the Dockerfile of a folder, and actionlint in its
// workflows, and ends with 1 when there is something.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/rhysd/actionlint"
)

func main() {
	findings := 0
	report := func(format string, values ...any) {
		findings++
		fmt.Printf(format+"\n", values...)
	}
	folder := os.Args[1]
	if err := checkDockerfile(filepath.Join(folder, "Dockerfile"), report); err != nil {
		report("Dockerfile: %v", err)
	}
	if err := checkWorkflows(filepath.Join(folder, ".github", "workflows"), report); err != nil {
		report("workflows: %v", err)
	}
	if findings > 0 {
		os.Exit(1)
	}
}

func checkDockerfile(path string, report func(string, ...any)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	parsed, err := parser.Parse(file)
	if err != nil {
		return err
	}
	parsed.PrintWarnings(os.Stdout)
	for _, warning := range parsed.Warnings {
		report("Dockerfile: %s", warning.Short)
	}
	lint := linter.New(&linter.Config{
		Warn: func(rule, _, _, message string, _ []parser.Range) { report("Dockerfile: %s: %s", rule, message) },
	})
	_, _, err = instructions.Parse(parsed.AST, lint)
	return err
}

func checkWorkflows(folder string, report func(string, ...any)) error {
	lint, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		return err
	}
	found, err := lint.LintDir(folder, nil)
	for _, each := range found {
		report("%s:%d: %s", each.Filepath, each.Line, each.Message)
	}
	return err
}
