// The exposition_parser reads documents in the text exposition format from standard input, one per line
// as a JSON string, and prints for each what Prometheus' own parser understood, as one line of JSON.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

type series struct {
	Labels  map[string]string `json:"labels"`
	Value   string            `json:"value"`
	Count   uint64            `json:"count,omitempty"`
	Buckets map[string]uint64 `json:"buckets,omitempty"`
}

type family struct {
	Name   string   `json:"name"`
	Help   string   `json:"help"`
	Type   string   `json:"type"`
	Series []series `json:"series"`
}

func number(value float64) string {
	if math.IsNaN(value) {
		return "NaN"
	}
	return fmt.Sprint(value)
}

func understood(metric *dto.Metric) series {
	shown := series{Labels: map[string]string{}}
	for _, pair := range metric.GetLabel() {
		shown.Labels[pair.GetName()] = pair.GetValue()
	}
	switch {
	case metric.Counter != nil:
		shown.Value = number(metric.Counter.GetValue())
	case metric.Gauge != nil:
		shown.Value = number(metric.Gauge.GetValue())
	case metric.Histogram != nil:
		shown.Value = number(metric.Histogram.GetSampleSum())
		shown.Count = metric.Histogram.GetSampleCount()
		shown.Buckets = map[string]uint64{}
		for _, bucket := range metric.Histogram.GetBucket() {
			shown.Buckets[number(bucket.GetUpperBound())] = bucket.GetCumulativeCount()
		}
	}
	return shown
}

func main() {
	input := bufio.NewReader(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	for {
		line, err := input.ReadString('\n')
		if err != nil {
			return
		}
		var text string
		if err := json.Unmarshal([]byte(line), &text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		parser := expfmt.NewTextParser(model.LegacyValidation)
		families, err := parser.TextToMetricFamilies(strings.NewReader(text))
		if err != nil {
			_ = output.Encode(map[string]string{"error": err.Error()})
			continue
		}
		found := map[string]family{}
		for name, each := range families {
			shown := family{Name: name, Help: each.GetHelp(), Type: strings.ToLower(each.GetType().String())}
			for _, metric := range each.GetMetric() {
				shown.Series = append(shown.Series, understood(metric))
			}
			found[name] = shown
		}
		_ = output.Encode(map[string]any{"families": found})
	}
}
