// Command olm-check validates the bundles of Operator Lifecycle Manager in folders, with the validation
// library of Operator Framework, and prints a line per finding. It ends with 1 when there is one.
package main

import (
	"fmt"
	"os"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"
)

func main() {
	validators := validation.DefaultBundleValidators.WithValidators(
		validation.ObjectValidator,
		validation.OperatorHubV2Validator,
		validation.StandardCategoriesValidator,
		validation.StandardCapabilitiesValidator,
		validation.AlphaDeprecatedAPIsValidator,
		validation.GoodPracticesValidator,
	)
	findings := 0
	for _, folder := range os.Args[1:] {
		bundle, err := manifests.GetBundleFromDir(folder)
		if err != nil {
			fmt.Printf("error: %s: %s\n", folder, err)
			findings++
			continue
		}
		for _, result := range validators.Validate(bundle.ObjectsToValidate()...) {
			for _, each := range result.Errors {
				fmt.Printf("error: %s: %s\n", result.Name, each.Error())
				findings++
			}
			for _, each := range result.Warnings {
				fmt.Printf("warning: %s: %s\n", result.Name, each.Error())
				findings++
			}
		}
	}
	if findings > 0 {
		os.Exit(1)
	}
}
