// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/google/cel-go/cel"
)

// maxConditionCost bounds the evaluation of a condition, in units of CEL: about ten milliseconds at the worst.
const maxConditionCost = 100_000

// Variables of a condition.
const (
	variableArgs = "args"
	variableTool = "tool"
)

// conditions is the environment of all conditions: the standard library of CEL, which reads nothing but its variables, and no
// extensions.
var conditions = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(
		cel.Variable(variableArgs, cel.DynType),
		cel.Variable(variableTool, cel.StringType),
		cel.CrossTypeNumericComparisons(true), // JSON does not tell 100 from 100.0
	)
})

// condition is a compiled CEL expression that is true or false.
type condition struct {
	program cel.Program
}

// compileCondition returns an error that says what is wrong with the expression.
func compileCondition(expression string) (*condition, error) {
	env, err := conditions()
	if err != nil {
		return nil, fmt.Errorf("CEL is not available: %w", err)
	}
	ast, issues := env.Compile(expression)
	if issues != nil && issues.Err() != nil {
		first := issues.Errors()[0]
		return nil, fmt.Errorf("no valid CEL at line %d, column %d: %s", first.Location.Line(), first.Location.Column()+1, first.Message)
	}
	if !ast.OutputType().IsExactType(cel.BoolType) {
		return nil, errors.New("must be true or false; compare an argument with something, for example args.urgent == true")
	}
	program, err := env.Program(ast, cel.CostLimit(maxConditionCost), cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return nil, fmt.Errorf("no valid CEL: %w", err)
	}
	return &condition{program: program}, nil
}

// errNoBool says that a condition came out as something else than true or false.
var errNoBool = errors.New("the condition is neither true nor false")

// holds evaluates the condition. It returns an error if that is not possible: an argument that is missing or of another type,
// or more work than a condition may make.
func (c *condition) holds(tool string, args map[string]any) (bool, error) {
	out, _, err := c.program.Eval(map[string]any{variableArgs: args, variableTool: tool})
	if err != nil {
		return false, err
	}
	holds, ok := out.Value().(bool)
	if !ok {
		return false, errNoBool
	}
	return holds, nil
}

// celObject turns arguments as Parse returns them into what CEL reads. It reports false if a number is out of range.
func celObject(args map[string]any) (map[string]any, bool) {
	v, ok := celValue(args)
	object, isObject := v.(map[string]any)
	return object, ok && isObject
}

func celValue(v any) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, child := range v {
			converted, ok := celValue(child)
			if !ok {
				return nil, false
			}
			out[key] = converted
		}
		return out, true
	case []any:
		out := make([]any, len(v))
		for i, child := range v {
			var ok bool
			if out[i], ok = celValue(child); !ok {
				return nil, false
			}
		}
		return out, true
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n, true
		}
		f, err := strconv.ParseFloat(v.String(), 64)
		return f, err == nil
	}
	return v, true
}
