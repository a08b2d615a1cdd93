// Taken from the Go modules of Kubernetes by tests/facts/dump_protobuf.ts: do not edit.

/**
 * Protobuf messages, a line each: the name, then field by field its JSON name, number and type. Types
 * are `s`tring, b`y`tes, `b`ool, `d`ouble, `i`nteger, or a message; `*` is a list, `%` a map of text.
 * `?` stands behind a field that is there or not though it be empty, `<` behind one whose own fields
 * stand in its place.
 */
export const PROTOBUF_MESSAGES: string = `
admission.v1.AdmissionRequest uid:1:s kind:2:meta.v1.GroupVersionKind resource:3:meta.v1.GroupVersionResource subResource:4:s requestKind:13:meta.v1.GroupVersionKind? requestResource:14:meta.v1.GroupVersionResource? requestSubResource:15:s name:5:s namespace:6:s operation:7:s userInfo:8:authentication.v1.UserInfo object:9:runtime.RawExtension oldObject:10:runtime.RawExtension dryRun:11:b? options:12:runtime.RawExtension
admission.v1.AdmissionResponse uid:1:s allowed:2:b status:3:meta.v1.Status? patch:4:y patchType:5:s? auditAnnotations:6:%s warnings:7:*s
admission.v1.AdmissionReview request:1:admission.v1.AdmissionRequest? response:2:admission.v1.AdmissionResponse?
admission.v1beta1.AdmissionRequest uid:1:s kind:2:meta.v1.GroupVersionKind resource:3:meta.v1.GroupVersionResource subResource:4:s requestKind:13:meta.v1.GroupVersionKind? requestResource:14:meta.v1.GroupVersionResource? requestSubResource:15:s name:5:s namespace:6:s operation:7:s userInfo:8:authentication.v1.UserInfo object:9:runtime.RawExtension oldObject:10:runtime.RawExtension dryRun:11:b? options:12:runtime.RawExtension
admission.v1beta1.AdmissionResponse uid:1:s allowed:2:b status:3:meta.v1.Status? patch:4:y patchType:5:s? auditAnnotations:6:%s warnings:7:*s
admission.v1beta1.AdmissionReview request:1:admission.v1beta1.AdmissionRequest? response:2:admission.v1beta1.AdmissionResponse?
admissionregistration.v1.ApplyConfiguration expression:1:s
admissionregistration.v1.AuditAnnotation key:1:s valueExpression:2:s
admissionregistration.v1.ExpressionWarning fieldRef:2:s warning:3:s
admissionregistration.v1.JSONPatch expression:1:s
admissionregistration.v1.MatchCondition name:1:s expression:2:s
admissionregistration.v1.MatchResources namespaceSelector:1:meta.v1.LabelSelector? objectSelector:2:meta.v1.LabelSelector? resourceRules:3:*admissionregistration.v1.NamedRuleWithOperations excludeResourceRules:4:*admissionregistration.v1.NamedRuleWithOperations matchPolicy:7:s?
admissionregistration.v1.MutatingAdmissionPolicy metadata:1:meta.v1.ObjectMeta spec:2:admissionregistration.v1.MutatingAdmissionPolicySpec
admissionregistration.v1.MutatingAdmissionPolicyBinding metadata:1:meta.v1.ObjectMeta spec:2:admissionregistration.v1.MutatingAdmissionPolicyBindingSpec
admissionregistration.v1.MutatingAdmissionPolicyBindingList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1.MutatingAdmissionPolicyBinding
admissionregistration.v1.MutatingAdmissionPolicyBindingSpec policyName:1:s paramRef:2:admissionregistration.v1.ParamRef? matchResources:3:admissionregistration.v1.MatchResources?
admissionregistration.v1.MutatingAdmissionPolicyList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1.MutatingAdmissionPolicy
admissionregistration.v1.MutatingAdmissionPolicySpec paramKind:1:admissionregistration.v1.ParamKind? matchConstraints:2:admissionregistration.v1.MatchResources? variables:3:*admissionregistration.v1.Variable mutations:4:*admissionregistration.v1.Mutation failurePolicy:5:s? matchConditions:6:*admissionregistration.v1.MatchCondition reinvocationPolicy:7:s
admissionregistration.v1.MutatingWebhook name:1:s clientConfig:2:admissionregistration.v1.WebhookClientConfig rules:3:*admissionregistration.v1.RuleWithOperations failurePolicy:4:s? matchPolicy:9:s? namespaceSelector:5:meta.v1.LabelSelector? objectSelector:11:meta.v1.LabelSelector? sideEffects:6:s? timeoutSeconds:7:i? admissionReviewVersions:8:*s reinvocationPolicy:10:s? matchConditions:12:*admissionregistration.v1.MatchCondition
admissionregistration.v1.MutatingWebhookConfiguration metadata:1:meta.v1.ObjectMeta Webhooks:2:*admissionregistration.v1.MutatingWebhook
admissionregistration.v1.MutatingWebhookConfigurationList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1.MutatingWebhookConfiguration
admissionregistration.v1.Mutation patchType:2:s applyConfiguration:3:admissionregistration.v1.ApplyConfiguration? jsonPatch:4:admissionregistration.v1.JSONPatch?
admissionregistration.v1.NamedRuleWithOperations resourceNames:1:*s ruleWithOperations:2:admissionregistration.v1.RuleWithOperations<
admissionregistration.v1.ParamKind apiVersion:1:s kind:2:s
admissionregistration.v1.ParamRef name:1:s namespace:2:s selector:3:meta.v1.LabelSelector? parameterNotFoundAction:4:s?
admissionregistration.v1.Rule apiGroups:1:*s apiVersions:2:*s resources:3:*s scope:4:s?
admissionregistration.v1.RuleWithOperations operations:1:*s rule:2:admissionregistration.v1.Rule<
admissionregistration.v1.ServiceReference namespace:1:s name:2:s path:3:s? port:4:i?
admissionregistration.v1.TypeChecking expressionWarnings:1:*admissionregistration.v1.ExpressionWarning
admissionregistration.v1.ValidatingAdmissionPolicy metadata:1:meta.v1.ObjectMeta spec:2:admissionregistration.v1.ValidatingAdmissionPolicySpec status:3:admissionregistration.v1.ValidatingAdmissionPolicyStatus
admissionregistration.v1.ValidatingAdmissionPolicyBinding metadata:1:meta.v1.ObjectMeta spec:2:admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec
admissionregistration.v1.ValidatingAdmissionPolicyBindingList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1.ValidatingAdmissionPolicyBinding
admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec policyName:1:s paramRef:2:admissionregistration.v1.ParamRef? matchResources:3:admissionregistration.v1.MatchResources? validationActions:4:*s
admissionregistration.v1.ValidatingAdmissionPolicyList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1.ValidatingAdmissionPolicy
admissionregistration.v1.ValidatingAdmissionPolicySpec paramKind:1:admissionregistration.v1.ParamKind? matchConstraints:2:admissionregistration.v1.MatchResources? validations:3:*admissionregistration.v1.Validation failurePolicy:4:s? auditAnnotations:5:*admissionregistration.v1.AuditAnnotation matchConditions:6:*admissionregistration.v1.MatchCondition variables:7:*admissionregistration.v1.Variable
admissionregistration.v1.ValidatingAdmissionPolicyStatus observedGeneration:1:i typeChecking:2:admissionregistration.v1.TypeChecking? conditions:3:*meta.v1.Condition
admissionregistration.v1.ValidatingWebhook name:1:s clientConfig:2:admissionregistration.v1.WebhookClientConfig rules:3:*admissionregistration.v1.RuleWithOperations failurePolicy:4:s? matchPolicy:9:s? namespaceSelector:5:meta.v1.LabelSelector? objectSelector:10:meta.v1.LabelSelector? sideEffects:6:s? timeoutSeconds:7:i? admissionReviewVersions:8:*s matchConditions:11:*admissionregistration.v1.MatchCondition
admissionregistration.v1.ValidatingWebhookConfiguration metadata:1:meta.v1.ObjectMeta Webhooks:2:*admissionregistration.v1.ValidatingWebhook
admissionregistration.v1.ValidatingWebhookConfigurationList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1.ValidatingWebhookConfiguration
admissionregistration.v1.Validation expression:1:s message:2:s reason:3:s? messageExpression:4:s
admissionregistration.v1.Variable name:1:s expression:2:s
admissionregistration.v1.WebhookClientConfig url:3:s? service:1:admissionregistration.v1.ServiceReference? caBundle:2:y
admissionregistration.v1alpha1.ApplyConfiguration expression:1:s
admissionregistration.v1alpha1.AuditAnnotation key:1:s valueExpression:2:s
admissionregistration.v1alpha1.ExpressionWarning fieldRef:2:s warning:3:s
admissionregistration.v1alpha1.JSONPatch expression:1:s
admissionregistration.v1alpha1.MatchCondition name:1:s expression:2:s
admissionregistration.v1alpha1.MatchResources namespaceSelector:1:meta.v1.LabelSelector? objectSelector:2:meta.v1.LabelSelector? resourceRules:3:*admissionregistration.v1alpha1.NamedRuleWithOperations excludeResourceRules:4:*admissionregistration.v1alpha1.NamedRuleWithOperations matchPolicy:7:s?
admissionregistration.v1alpha1.MutatingAdmissionPolicy metadata:1:meta.v1.ObjectMeta spec:2:admissionregistration.v1alpha1.MutatingAdmissionPolicySpec
admissionregistration.v1alpha1.MutatingAdmissionPolicyBinding metadata:1:meta.v1.ObjectMeta spec:2:admissionregistration.v1alpha1.MutatingAdmissionPolicyBindingSpec
admissionregistration.v1alpha1.MutatingAdmissionPolicyBindingList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1alpha1.MutatingAdmissionPolicyBinding
admissionregistration.v1alpha1.MutatingAdmissionPolicyBindingSpec policyName:1:s paramRef:2:admissionregistration.v1alpha1.ParamRef? matchResources:3:admissionregistration.v1alpha1.MatchResources?
admissionregistration.v1alpha1.MutatingAdmissionPolicyList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1alpha1.MutatingAdmissionPolicy
admissionregistration.v1alpha1.MutatingAdmissionPolicySpec paramKind:1:admissionregistration.v1alpha1.ParamKind? matchConstraints:2:admissionregistration.v1alpha1.MatchResources? variables:3:*admissionregistration.v1alpha1.Variable mutations:4:*admissionregistration.v1alpha1.Mutation failurePolicy:5:s? matchConditions:6:*admissionregistration.v1alpha1.MatchCondition reinvocationPolicy:7:s
admissionregistration.v1alpha1.Mutation patchType:2:s applyConfiguration:3:admissionregistration.v1alpha1.ApplyConfiguration? jsonPatch:4:admissionregistration.v1alpha1.JSONPatch?
admissionregistration.v1alpha1.NamedRuleWithOperations resourceNames:1:*s ruleWithOperations:2:admissionregistration.v1.RuleWithOperations<
admissionregistration.v1alpha1.ParamKind apiVersion:1:s kind:2:s
admissionregistration.v1alpha1.ParamRef name:1:s namespace:2:s selector:3:meta.v1.LabelSelector? parameterNotFoundAction:4:s?
admissionregistration.v1alpha1.TypeChecking expressionWarnings:1:*admissionregistration.v1alpha1.ExpressionWarning
admissionregistration.v1alpha1.ValidatingAdmissionPolicy metadata:1:meta.v1.ObjectMeta spec:2:admissionregistration.v1alpha1.ValidatingAdmissionPolicySpec status:3:admissionregistration.v1alpha1.ValidatingAdmissionPolicyStatus
admissionregistration.v1alpha1.ValidatingAdmissionPolicyBinding metadata:1:meta.v1.ObjectMeta spec:2:admissionregistration.v1alpha1.ValidatingAdmissionPolicyBindingSpec
admissionregistration.v1alpha1.ValidatingAdmissionPolicyBindingList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1alpha1.ValidatingAdmissionPolicyBinding
admissionregistration.v1alpha1.ValidatingAdmissionPolicyBindingSpec policyName:1:s paramRef:2:admissionregistration.v1alpha1.ParamRef? matchResources:3:admissionregistration.v1alpha1.MatchResources? validationActions:4:*s
admissionregistration.v1alpha1.ValidatingAdmissionPolicyList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1alpha1.ValidatingAdmissionPolicy
admissionregistration.v1alpha1.ValidatingAdmissionPolicySpec paramKind:1:admissionregistration.v1alpha1.ParamKind? matchConstraints:2:admissionregistration.v1alpha1.MatchResources? validations:3:*admissionregistration.v1alpha1.Validation failurePolicy:4:s? auditAnnotations:5:*admissionregistration.v1alpha1.AuditAnnotation matchConditions:6:*admissionregistration.v1alpha1.MatchCondition variables:7:*admissionregistration.v1alpha1.Variable
admissionregistration.v1alpha1.ValidatingAdmissionPolicyStatus observedGeneration:1:i typeChecking:2:admissionregistration.v1alpha1.TypeChecking? conditions:3:*meta.v1.Condition
admissionregistration.v1alpha1.Validation expression:1:s message:2:s reason:3:s? messageExpression:4:s
admissionregistration.v1alpha1.Variable name:1:s expression:2:s
admissionregistration.v1beta1.ApplyConfiguration expression:1:s
admissionregistration.v1beta1.AuditAnnotation key:1:s valueExpression:2:s
admissionregistration.v1beta1.ExpressionWarning fieldRef:2:s warning:3:s
admissionregistration.v1beta1.JSONPatch expression:1:s
admissionregistration.v1beta1.MatchCondition name:1:s expression:2:s
admissionregistration.v1beta1.MatchResources namespaceSelector:1:meta.v1.LabelSelector? objectSelector:2:meta.v1.LabelSelector? resourceRules:3:*admissionregistration.v1beta1.NamedRuleWithOperations excludeResourceRules:4:*admissionregistration.v1beta1.NamedRuleWithOperations matchPolicy:7:s?
admissionregistration.v1beta1.MutatingAdmissionPolicy metadata:1:meta.v1.ObjectMeta spec:2:admissionregistration.v1beta1.MutatingAdmissionPolicySpec
admissionregistration.v1beta1.MutatingAdmissionPolicyBinding metadata:1:meta.v1.ObjectMeta spec:2:admissionregistration.v1beta1.MutatingAdmissionPolicyBindingSpec
admissionregistration.v1beta1.MutatingAdmissionPolicyBindingList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1beta1.MutatingAdmissionPolicyBinding
admissionregistration.v1beta1.MutatingAdmissionPolicyBindingSpec policyName:1:s paramRef:2:admissionregistration.v1beta1.ParamRef? matchResources:3:admissionregistration.v1beta1.MatchResources?
admissionregistration.v1beta1.MutatingAdmissionPolicyList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1beta1.MutatingAdmissionPolicy
admissionregistration.v1beta1.MutatingAdmissionPolicySpec paramKind:1:admissionregistration.v1beta1.ParamKind? matchConstraints:2:admissionregistration.v1beta1.MatchResources? variables:3:*admissionregistration.v1beta1.Variable mutations:4:*admissionregistration.v1beta1.Mutation failurePolicy:5:s? matchConditions:6:*admissionregistration.v1beta1.MatchCondition reinvocationPolicy:7:s
admissionregistration.v1beta1.MutatingWebhook name:1:s clientConfig:2:admissionregistration.v1beta1.WebhookClientConfig rules:3:*admissionregistration.v1.RuleWithOperations failurePolicy:4:s? matchPolicy:9:s? namespaceSelector:5:meta.v1.LabelSelector? objectSelector:11:meta.v1.LabelSelector? sideEffects:6:s? timeoutSeconds:7:i? admissionReviewVersions:8:*s reinvocationPolicy:10:s? matchConditions:12:*admissionregistration.v1beta1.MatchCondition
admissionregistration.v1beta1.MutatingWebhookConfiguration metadata:1:meta.v1.ObjectMeta Webhooks:2:*admissionregistration.v1beta1.MutatingWebhook
admissionregistration.v1beta1.MutatingWebhookConfigurationList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1beta1.MutatingWebhookConfiguration
admissionregistration.v1beta1.Mutation patchType:2:s applyConfiguration:3:admissionregistration.v1beta1.ApplyConfiguration? jsonPatch:4:admissionregistration.v1beta1.JSONPatch?
admissionregistration.v1beta1.NamedRuleWithOperations resourceNames:1:*s ruleWithOperations:2:admissionregistration.v1.RuleWithOperations<
admissionregistration.v1beta1.ParamKind apiVersion:1:s kind:2:s
admissionregistration.v1beta1.ParamRef name:1:s namespace:2:s selector:3:meta.v1.LabelSelector? parameterNotFoundAction:4:s?
admissionregistration.v1beta1.ServiceReference namespace:1:s name:2:s path:3:s? port:4:i?
admissionregistration.v1beta1.TypeChecking expressionWarnings:1:*admissionregistration.v1beta1.ExpressionWarning
admissionregistration.v1beta1.ValidatingAdmissionPolicy metadata:1:meta.v1.ObjectMeta spec:2:admissionregistration.v1beta1.ValidatingAdmissionPolicySpec status:3:admissionregistration.v1beta1.ValidatingAdmissionPolicyStatus
admissionregistration.v1beta1.ValidatingAdmissionPolicyBinding metadata:1:meta.v1.ObjectMeta spec:2:admissionregistration.v1beta1.ValidatingAdmissionPolicyBindingSpec
admissionregistration.v1beta1.ValidatingAdmissionPolicyBindingList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1beta1.ValidatingAdmissionPolicyBinding
admissionregistration.v1beta1.ValidatingAdmissionPolicyBindingSpec policyName:1:s paramRef:2:admissionregistration.v1beta1.ParamRef? matchResources:3:admissionregistration.v1beta1.MatchResources? validationActions:4:*s
admissionregistration.v1beta1.ValidatingAdmissionPolicyList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1beta1.ValidatingAdmissionPolicy
admissionregistration.v1beta1.ValidatingAdmissionPolicySpec paramKind:1:admissionregistration.v1beta1.ParamKind? matchConstraints:2:admissionregistration.v1beta1.MatchResources? validations:3:*admissionregistration.v1beta1.Validation failurePolicy:4:s? auditAnnotations:5:*admissionregistration.v1beta1.AuditAnnotation matchConditions:6:*admissionregistration.v1beta1.MatchCondition variables:7:*admissionregistration.v1beta1.Variable
admissionregistration.v1beta1.ValidatingAdmissionPolicyStatus observedGeneration:1:i typeChecking:2:admissionregistration.v1beta1.TypeChecking? conditions:3:*meta.v1.Condition
admissionregistration.v1beta1.ValidatingWebhook name:1:s clientConfig:2:admissionregistration.v1beta1.WebhookClientConfig rules:3:*admissionregistration.v1.RuleWithOperations failurePolicy:4:s? matchPolicy:9:s? namespaceSelector:5:meta.v1.LabelSelector? objectSelector:10:meta.v1.LabelSelector? sideEffects:6:s? timeoutSeconds:7:i? admissionReviewVersions:8:*s matchConditions:11:*admissionregistration.v1beta1.MatchCondition
admissionregistration.v1beta1.ValidatingWebhookConfiguration metadata:1:meta.v1.ObjectMeta Webhooks:2:*admissionregistration.v1beta1.ValidatingWebhook
admissionregistration.v1beta1.ValidatingWebhookConfigurationList metadata:1:meta.v1.ListMeta items:2:*admissionregistration.v1beta1.ValidatingWebhookConfiguration
admissionregistration.v1beta1.Validation expression:1:s message:2:s reason:3:s? messageExpression:4:s
admissionregistration.v1beta1.Variable name:1:s expression:2:s
admissionregistration.v1beta1.WebhookClientConfig url:3:s? service:1:admissionregistration.v1beta1.ServiceReference? caBundle:2:y
apidiscovery.v2.APIGroupDiscovery metadata:1:meta.v1.ObjectMeta versions:2:*apidiscovery.v2.APIVersionDiscovery
apidiscovery.v2.APIGroupDiscoveryList metadata:1:meta.v1.ListMeta items:2:*apidiscovery.v2.APIGroupDiscovery
apidiscovery.v2.APIResourceDiscovery resource:1:s responseKind:2:meta.v1.GroupVersionKind? scope:3:s singularResource:4:s verbs:5:*s shortNames:6:*s categories:7:*s subresources:8:*apidiscovery.v2.APISubresourceDiscovery
apidiscovery.v2.APISubresourceDiscovery subresource:1:s responseKind:2:meta.v1.GroupVersionKind? acceptedTypes:3:*meta.v1.GroupVersionKind verbs:4:*s
apidiscovery.v2.APIVersionDiscovery version:1:s resources:2:*apidiscovery.v2.APIResourceDiscovery freshness:3:s
apidiscovery.v2beta1.APIGroupDiscovery metadata:1:meta.v1.ObjectMeta versions:2:*apidiscovery.v2beta1.APIVersionDiscovery
apidiscovery.v2beta1.APIGroupDiscoveryList metadata:1:meta.v1.ListMeta items:2:*apidiscovery.v2beta1.APIGroupDiscovery
apidiscovery.v2beta1.APIResourceDiscovery resource:1:s responseKind:2:meta.v1.GroupVersionKind? scope:3:s singularResource:4:s verbs:5:*s shortNames:6:*s categories:7:*s subresources:8:*apidiscovery.v2beta1.APISubresourceDiscovery
apidiscovery.v2beta1.APISubresourceDiscovery subresource:1:s responseKind:2:meta.v1.GroupVersionKind? acceptedTypes:3:*meta.v1.GroupVersionKind verbs:4:*s
apidiscovery.v2beta1.APIVersionDiscovery version:1:s resources:2:*apidiscovery.v2beta1.APIResourceDiscovery freshness:3:s
apiextensions.v1.ConversionRequest uid:1:s desiredAPIVersion:2:s objects:3:*runtime.RawExtension
apiextensions.v1.ConversionResponse uid:1:s convertedObjects:2:*runtime.RawExtension result:3:meta.v1.Status
apiextensions.v1.ConversionReview request:1:apiextensions.v1.ConversionRequest? response:2:apiextensions.v1.ConversionResponse?
apiextensions.v1.CustomResourceColumnDefinition name:1:s type:2:s format:3:s description:4:s priority:5:i jsonPath:6:s
apiextensions.v1.CustomResourceConversion strategy:1:s webhook:2:apiextensions.v1.WebhookConversion?
apiextensions.v1.CustomResourceDefinition metadata:1:meta.v1.ObjectMeta spec:2:apiextensions.v1.CustomResourceDefinitionSpec status:3:apiextensions.v1.CustomResourceDefinitionStatus
apiextensions.v1.CustomResourceDefinitionCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s observedGeneration:6:i
apiextensions.v1.CustomResourceDefinitionList metadata:1:meta.v1.ListMeta items:2:*apiextensions.v1.CustomResourceDefinition
apiextensions.v1.CustomResourceDefinitionNames plural:1:s singular:2:s shortNames:3:*s kind:4:s listKind:5:s categories:6:*s
apiextensions.v1.CustomResourceDefinitionSpec group:1:s names:3:apiextensions.v1.CustomResourceDefinitionNames scope:4:s versions:7:*apiextensions.v1.CustomResourceDefinitionVersion conversion:9:apiextensions.v1.CustomResourceConversion? preserveUnknownFields:10:b
apiextensions.v1.CustomResourceDefinitionStatus conditions:1:*apiextensions.v1.CustomResourceDefinitionCondition acceptedNames:2:apiextensions.v1.CustomResourceDefinitionNames storedVersions:3:*s observedGeneration:4:i
apiextensions.v1.CustomResourceDefinitionVersion name:1:s served:2:b storage:3:b deprecated:7:b deprecationWarning:8:s? schema:4:apiextensions.v1.CustomResourceValidation? subresources:5:apiextensions.v1.CustomResourceSubresources? additionalPrinterColumns:6:*apiextensions.v1.CustomResourceColumnDefinition selectableFields:9:*apiextensions.v1.SelectableField
apiextensions.v1.CustomResourceSubresourceScale specReplicasPath:1:s statusReplicasPath:2:s labelSelectorPath:3:s?
apiextensions.v1.CustomResourceSubresourceStatus
apiextensions.v1.CustomResourceSubresources status:1:apiextensions.v1.CustomResourceSubresourceStatus? scale:2:apiextensions.v1.CustomResourceSubresourceScale?
apiextensions.v1.CustomResourceValidation openAPIV3Schema:1:apiextensions.v1.JSONSchemaProps?
apiextensions.v1.ExternalDocumentation description:1:s url:2:s
apiextensions.v1.JSON -:1:y
apiextensions.v1.JSONSchemaProps id:1:s $schema:2:s $ref:3:s? description:4:s type:5:s format:6:s title:7:s default:8:apiextensions.v1.JSON? maximum:9:d? exclusiveMaximum:10:b minimum:11:d? exclusiveMinimum:12:b maxLength:13:i? minLength:14:i? pattern:15:s maxItems:16:i? minItems:17:i? uniqueItems:18:b multipleOf:19:d? enum:20:*apiextensions.v1.JSON maxProperties:21:i? minProperties:22:i? required:23:*s items:24:apiextensions.v1.JSONSchemaPropsOrArray? allOf:25:*apiextensions.v1.JSONSchemaProps oneOf:26:*apiextensions.v1.JSONSchemaProps anyOf:27:*apiextensions.v1.JSONSchemaProps not:28:apiextensions.v1.JSONSchemaProps? properties:29:%apiextensions.v1.JSONSchemaProps additionalProperties:30:apiextensions.v1.JSONSchemaPropsOrBool? patternProperties:31:%apiextensions.v1.JSONSchemaProps dependencies:32:%apiextensions.v1.JSONSchemaPropsOrStringArray additionalItems:33:apiextensions.v1.JSONSchemaPropsOrBool? definitions:34:%apiextensions.v1.JSONSchemaProps externalDocs:35:apiextensions.v1.ExternalDocumentation? example:36:apiextensions.v1.JSON? nullable:37:b x-kubernetes-preserve-unknown-fields:38:b? x-kubernetes-embedded-resource:39:b x-kubernetes-int-or-string:40:b x-kubernetes-list-map-keys:41:*s x-kubernetes-list-type:42:s? x-kubernetes-map-type:43:s? xKubernetesValidations:44:*apiextensions.v1.ValidationRule
apiextensions.v1.JSONSchemaPropsOrArray schema:1:apiextensions.v1.JSONSchemaProps jSONSchemas:2:*apiextensions.v1.JSONSchemaProps
apiextensions.v1.JSONSchemaPropsOrBool allows:1:b schema:2:apiextensions.v1.JSONSchemaProps
apiextensions.v1.JSONSchemaPropsOrStringArray schema:1:apiextensions.v1.JSONSchemaProps property:2:*s
apiextensions.v1.SelectableField jsonPath:1:s
apiextensions.v1.ServiceReference namespace:1:s name:2:s path:3:s? port:4:i?
apiextensions.v1.ValidationRule rule:1:s message:2:s messageExpression:3:s reason:4:s? fieldPath:5:s optionalOldSelf:6:b?
apiextensions.v1.WebhookClientConfig url:3:s? service:1:apiextensions.v1.ServiceReference? caBundle:2:y
apiextensions.v1.WebhookConversion clientConfig:2:apiextensions.v1.WebhookClientConfig? conversionReviewVersions:3:*s
apiextensions.v1beta1.ConversionRequest uid:1:s desiredAPIVersion:2:s objects:3:*runtime.RawExtension
apiextensions.v1beta1.ConversionResponse uid:1:s convertedObjects:2:*runtime.RawExtension result:3:meta.v1.Status
apiextensions.v1beta1.ConversionReview request:1:apiextensions.v1beta1.ConversionRequest? response:2:apiextensions.v1beta1.ConversionResponse?
apiextensions.v1beta1.CustomResourceColumnDefinition name:1:s type:2:s format:3:s description:4:s priority:5:i JSONPath:6:s
apiextensions.v1beta1.CustomResourceConversion strategy:1:s webhookClientConfig:2:apiextensions.v1beta1.WebhookClientConfig? conversionReviewVersions:3:*s
apiextensions.v1beta1.CustomResourceDefinition metadata:1:meta.v1.ObjectMeta spec:2:apiextensions.v1beta1.CustomResourceDefinitionSpec status:3:apiextensions.v1beta1.CustomResourceDefinitionStatus
apiextensions.v1beta1.CustomResourceDefinitionCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s observedGeneration:6:i
apiextensions.v1beta1.CustomResourceDefinitionList metadata:1:meta.v1.ListMeta items:2:*apiextensions.v1beta1.CustomResourceDefinition
apiextensions.v1beta1.CustomResourceDefinitionNames plural:1:s singular:2:s shortNames:3:*s kind:4:s listKind:5:s categories:6:*s
apiextensions.v1beta1.CustomResourceDefinitionSpec group:1:s version:2:s names:3:apiextensions.v1beta1.CustomResourceDefinitionNames scope:4:s validation:5:apiextensions.v1beta1.CustomResourceValidation? subresources:6:apiextensions.v1beta1.CustomResourceSubresources? versions:7:*apiextensions.v1beta1.CustomResourceDefinitionVersion additionalPrinterColumns:8:*apiextensions.v1beta1.CustomResourceColumnDefinition selectableFields:11:*apiextensions.v1beta1.SelectableField conversion:9:apiextensions.v1beta1.CustomResourceConversion? preserveUnknownFields:10:b?
apiextensions.v1beta1.CustomResourceDefinitionStatus conditions:1:*apiextensions.v1beta1.CustomResourceDefinitionCondition acceptedNames:2:apiextensions.v1beta1.CustomResourceDefinitionNames storedVersions:3:*s observedGeneration:4:i
apiextensions.v1beta1.CustomResourceDefinitionVersion name:1:s served:2:b storage:3:b deprecated:7:b deprecationWarning:8:s? schema:4:apiextensions.v1beta1.CustomResourceValidation? subresources:5:apiextensions.v1beta1.CustomResourceSubresources? additionalPrinterColumns:6:*apiextensions.v1beta1.CustomResourceColumnDefinition selectableFields:9:*apiextensions.v1beta1.SelectableField
apiextensions.v1beta1.CustomResourceSubresourceScale specReplicasPath:1:s statusReplicasPath:2:s labelSelectorPath:3:s?
apiextensions.v1beta1.CustomResourceSubresourceStatus
apiextensions.v1beta1.CustomResourceSubresources status:1:apiextensions.v1beta1.CustomResourceSubresourceStatus? scale:2:apiextensions.v1beta1.CustomResourceSubresourceScale?
apiextensions.v1beta1.CustomResourceValidation openAPIV3Schema:1:apiextensions.v1beta1.JSONSchemaProps?
apiextensions.v1beta1.ExternalDocumentation description:1:s url:2:s
apiextensions.v1beta1.JSON -:1:y
apiextensions.v1beta1.JSONSchemaProps id:1:s $schema:2:s $ref:3:s? description:4:s type:5:s format:6:s title:7:s default:8:apiextensions.v1beta1.JSON? maximum:9:d? exclusiveMaximum:10:b minimum:11:d? exclusiveMinimum:12:b maxLength:13:i? minLength:14:i? pattern:15:s maxItems:16:i? minItems:17:i? uniqueItems:18:b multipleOf:19:d? enum:20:*apiextensions.v1beta1.JSON maxProperties:21:i? minProperties:22:i? required:23:*s items:24:apiextensions.v1beta1.JSONSchemaPropsOrArray? allOf:25:*apiextensions.v1beta1.JSONSchemaProps oneOf:26:*apiextensions.v1beta1.JSONSchemaProps anyOf:27:*apiextensions.v1beta1.JSONSchemaProps not:28:apiextensions.v1beta1.JSONSchemaProps? properties:29:%apiextensions.v1beta1.JSONSchemaProps additionalProperties:30:apiextensions.v1beta1.JSONSchemaPropsOrBool? patternProperties:31:%apiextensions.v1beta1.JSONSchemaProps dependencies:32:%apiextensions.v1beta1.JSONSchemaPropsOrStringArray additionalItems:33:apiextensions.v1beta1.JSONSchemaPropsOrBool? definitions:34:%apiextensions.v1beta1.JSONSchemaProps externalDocs:35:apiextensions.v1beta1.ExternalDocumentation? example:36:apiextensions.v1beta1.JSON? nullable:37:b x-kubernetes-preserve-unknown-fields:38:b? x-kubernetes-embedded-resource:39:b x-kubernetes-int-or-string:40:b x-kubernetes-list-map-keys:41:*s x-kubernetes-list-type:42:s? x-kubernetes-map-type:43:s? xKubernetesValidations:44:*apiextensions.v1beta1.ValidationRule
apiextensions.v1beta1.JSONSchemaPropsOrArray schema:1:apiextensions.v1beta1.JSONSchemaProps jSONSchemas:2:*apiextensions.v1beta1.JSONSchemaProps
apiextensions.v1beta1.JSONSchemaPropsOrBool allows:1:b schema:2:apiextensions.v1beta1.JSONSchemaProps
apiextensions.v1beta1.JSONSchemaPropsOrStringArray schema:1:apiextensions.v1beta1.JSONSchemaProps property:2:*s
apiextensions.v1beta1.SelectableField jsonPath:1:s
apiextensions.v1beta1.ServiceReference namespace:1:s name:2:s path:3:s? port:4:i?
apiextensions.v1beta1.ValidationRule rule:1:s message:2:s messageExpression:3:s reason:4:s? fieldPath:5:s optionalOldSelf:6:b?
apiextensions.v1beta1.WebhookClientConfig url:3:s? service:1:apiextensions.v1beta1.ServiceReference? caBundle:2:y
apiregistration.v1.APIService metadata:1:meta.v1.ObjectMeta spec:2:apiregistration.v1.APIServiceSpec status:3:apiregistration.v1.APIServiceStatus
apiregistration.v1.APIServiceCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
apiregistration.v1.APIServiceList metadata:1:meta.v1.ListMeta items:2:*apiregistration.v1.APIService
apiregistration.v1.APIServiceSpec service:1:apiregistration.v1.ServiceReference? group:2:s version:3:s insecureSkipTLSVerify:4:b caBundle:5:y groupPriorityMinimum:7:i versionPriority:8:i
apiregistration.v1.APIServiceStatus conditions:1:*apiregistration.v1.APIServiceCondition
apiregistration.v1.ServiceReference namespace:1:s name:2:s port:3:i?
apiregistration.v1beta1.APIService metadata:1:meta.v1.ObjectMeta spec:2:apiregistration.v1beta1.APIServiceSpec status:3:apiregistration.v1beta1.APIServiceStatus
apiregistration.v1beta1.APIServiceCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
apiregistration.v1beta1.APIServiceList metadata:1:meta.v1.ListMeta items:2:*apiregistration.v1beta1.APIService
apiregistration.v1beta1.APIServiceSpec service:1:apiregistration.v1beta1.ServiceReference? group:2:s version:3:s insecureSkipTLSVerify:4:b caBundle:5:y groupPriorityMinimum:7:i versionPriority:8:i
apiregistration.v1beta1.APIServiceStatus conditions:1:*apiregistration.v1beta1.APIServiceCondition
apiregistration.v1beta1.ServiceReference namespace:1:s name:2:s port:3:i?
apiserverinternal.v1alpha1.ServerStorageVersion apiServerID:1:s encodingVersion:2:s decodableVersions:3:*s servedVersions:4:*s
apiserverinternal.v1alpha1.StorageVersion metadata:1:meta.v1.ObjectMeta spec:2:apiserverinternal.v1alpha1.StorageVersionSpec status:3:apiserverinternal.v1alpha1.StorageVersionStatus
apiserverinternal.v1alpha1.StorageVersionCondition type:1:s status:2:s observedGeneration:3:i lastTransitionTime:4:meta.v1.Time reason:5:s message:6:s
apiserverinternal.v1alpha1.StorageVersionList metadata:1:meta.v1.ListMeta items:2:*apiserverinternal.v1alpha1.StorageVersion
apiserverinternal.v1alpha1.StorageVersionSpec
apiserverinternal.v1alpha1.StorageVersionStatus storageVersions:1:*apiserverinternal.v1alpha1.ServerStorageVersion commonEncodingVersion:2:s? conditions:3:*apiserverinternal.v1alpha1.StorageVersionCondition
apps.v1.ControllerRevision metadata:1:meta.v1.ObjectMeta data:2:runtime.RawExtension revision:3:i
apps.v1.ControllerRevisionList metadata:1:meta.v1.ListMeta items:2:*apps.v1.ControllerRevision
apps.v1.DaemonSet metadata:1:meta.v1.ObjectMeta spec:2:apps.v1.DaemonSetSpec status:3:apps.v1.DaemonSetStatus
apps.v1.DaemonSetCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
apps.v1.DaemonSetList metadata:1:meta.v1.ListMeta items:2:*apps.v1.DaemonSet
apps.v1.DaemonSetSpec selector:1:meta.v1.LabelSelector? template:2:core.v1.PodTemplateSpec updateStrategy:3:apps.v1.DaemonSetUpdateStrategy minReadySeconds:4:i revisionHistoryLimit:6:i?
apps.v1.DaemonSetStatus currentNumberScheduled:1:i numberMisscheduled:2:i desiredNumberScheduled:3:i numberReady:4:i observedGeneration:5:i updatedNumberScheduled:6:i numberAvailable:7:i numberUnavailable:8:i collisionCount:9:i? conditions:10:*apps.v1.DaemonSetCondition
apps.v1.DaemonSetUpdateStrategy type:1:s rollingUpdate:2:apps.v1.RollingUpdateDaemonSet?
apps.v1.Deployment metadata:1:meta.v1.ObjectMeta spec:2:apps.v1.DeploymentSpec status:3:apps.v1.DeploymentStatus
apps.v1.DeploymentCondition type:1:s status:2:s lastUpdateTime:6:meta.v1.Time lastTransitionTime:7:meta.v1.Time reason:4:s message:5:s
apps.v1.DeploymentList metadata:1:meta.v1.ListMeta items:2:*apps.v1.Deployment
apps.v1.DeploymentSpec replicas:1:i? selector:2:meta.v1.LabelSelector? template:3:core.v1.PodTemplateSpec strategy:4:apps.v1.DeploymentStrategy minReadySeconds:5:i revisionHistoryLimit:6:i? paused:7:b progressDeadlineSeconds:9:i?
apps.v1.DeploymentStatus observedGeneration:1:i replicas:2:i updatedReplicas:3:i readyReplicas:7:i availableReplicas:4:i unavailableReplicas:5:i terminatingReplicas:9:i? conditions:6:*apps.v1.DeploymentCondition collisionCount:8:i?
apps.v1.DeploymentStrategy type:1:s rollingUpdate:2:apps.v1.RollingUpdateDeployment?
apps.v1.ReplicaSet metadata:1:meta.v1.ObjectMeta spec:2:apps.v1.ReplicaSetSpec status:3:apps.v1.ReplicaSetStatus
apps.v1.ReplicaSetCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
apps.v1.ReplicaSetList metadata:1:meta.v1.ListMeta items:2:*apps.v1.ReplicaSet
apps.v1.ReplicaSetSpec replicas:1:i? minReadySeconds:4:i selector:2:meta.v1.LabelSelector? template:3:core.v1.PodTemplateSpec
apps.v1.ReplicaSetStatus replicas:1:i fullyLabeledReplicas:2:i readyReplicas:4:i availableReplicas:5:i terminatingReplicas:7:i? observedGeneration:3:i conditions:6:*apps.v1.ReplicaSetCondition
apps.v1.RollingUpdateDaemonSet maxUnavailable:1:intstr.IntOrString? maxSurge:2:intstr.IntOrString?
apps.v1.RollingUpdateDeployment maxUnavailable:1:intstr.IntOrString? maxSurge:2:intstr.IntOrString?
apps.v1.RollingUpdateStatefulSetStrategy partition:1:i? maxUnavailable:2:intstr.IntOrString?
apps.v1.StatefulSet metadata:1:meta.v1.ObjectMeta spec:2:apps.v1.StatefulSetSpec status:3:apps.v1.StatefulSetStatus
apps.v1.StatefulSetCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
apps.v1.StatefulSetList metadata:1:meta.v1.ListMeta items:2:*apps.v1.StatefulSet
apps.v1.StatefulSetOrdinals start:1:i
apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:1:s whenScaled:2:s
apps.v1.StatefulSetSpec replicas:1:i? selector:2:meta.v1.LabelSelector? template:3:core.v1.PodTemplateSpec volumeClaimTemplates:4:*core.v1.PersistentVolumeClaim serviceName:5:s podManagementPolicy:6:s updateStrategy:7:apps.v1.StatefulSetUpdateStrategy revisionHistoryLimit:8:i? minReadySeconds:9:i persistentVolumeClaimRetentionPolicy:10:apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy? ordinals:11:apps.v1.StatefulSetOrdinals?
apps.v1.StatefulSetStatus observedGeneration:1:i replicas:2:i readyReplicas:3:i currentReplicas:4:i updatedReplicas:5:i currentRevision:6:s updateRevision:7:s collisionCount:9:i? conditions:10:*apps.v1.StatefulSetCondition availableReplicas:11:i
apps.v1.StatefulSetUpdateStrategy type:1:s rollingUpdate:2:apps.v1.RollingUpdateStatefulSetStrategy?
apps.v1beta1.ControllerRevision metadata:1:meta.v1.ObjectMeta data:2:runtime.RawExtension revision:3:i
apps.v1beta1.ControllerRevisionList metadata:1:meta.v1.ListMeta items:2:*apps.v1beta1.ControllerRevision
apps.v1beta1.Deployment metadata:1:meta.v1.ObjectMeta spec:2:apps.v1beta1.DeploymentSpec status:3:apps.v1beta1.DeploymentStatus
apps.v1beta1.DeploymentCondition type:1:s status:2:s lastUpdateTime:6:meta.v1.Time lastTransitionTime:7:meta.v1.Time reason:4:s message:5:s
apps.v1beta1.DeploymentList metadata:1:meta.v1.ListMeta items:2:*apps.v1beta1.Deployment
apps.v1beta1.DeploymentRollback name:1:s updatedAnnotations:2:%s rollbackTo:3:apps.v1beta1.RollbackConfig
apps.v1beta1.DeploymentSpec replicas:1:i? selector:2:meta.v1.LabelSelector? template:3:core.v1.PodTemplateSpec strategy:4:apps.v1beta1.DeploymentStrategy minReadySeconds:5:i revisionHistoryLimit:6:i? paused:7:b rollbackTo:8:apps.v1beta1.RollbackConfig? progressDeadlineSeconds:9:i?
apps.v1beta1.DeploymentStatus observedGeneration:1:i replicas:2:i updatedReplicas:3:i readyReplicas:7:i availableReplicas:4:i unavailableReplicas:5:i terminatingReplicas:9:i? conditions:6:*apps.v1beta1.DeploymentCondition collisionCount:8:i?
apps.v1beta1.DeploymentStrategy type:1:s rollingUpdate:2:apps.v1beta1.RollingUpdateDeployment?
apps.v1beta1.RollbackConfig revision:1:i
apps.v1beta1.RollingUpdateDeployment maxUnavailable:1:intstr.IntOrString? maxSurge:2:intstr.IntOrString?
apps.v1beta1.RollingUpdateStatefulSetStrategy partition:1:i? maxUnavailable:2:intstr.IntOrString?
apps.v1beta1.Scale metadata:1:meta.v1.ObjectMeta spec:2:apps.v1beta1.ScaleSpec status:3:apps.v1beta1.ScaleStatus
apps.v1beta1.ScaleSpec replicas:1:i
apps.v1beta1.ScaleStatus replicas:1:i selector:2:%s targetSelector:3:s
apps.v1beta1.StatefulSet metadata:1:meta.v1.ObjectMeta spec:2:apps.v1beta1.StatefulSetSpec status:3:apps.v1beta1.StatefulSetStatus
apps.v1beta1.StatefulSetCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
apps.v1beta1.StatefulSetList metadata:1:meta.v1.ListMeta items:2:*apps.v1beta1.StatefulSet
apps.v1beta1.StatefulSetOrdinals start:1:i
apps.v1beta1.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:1:s whenScaled:2:s
apps.v1beta1.StatefulSetSpec replicas:1:i? selector:2:meta.v1.LabelSelector? template:3:core.v1.PodTemplateSpec volumeClaimTemplates:4:*core.v1.PersistentVolumeClaim serviceName:5:s podManagementPolicy:6:s updateStrategy:7:apps.v1beta1.StatefulSetUpdateStrategy revisionHistoryLimit:8:i? minReadySeconds:9:i persistentVolumeClaimRetentionPolicy:10:apps.v1beta1.StatefulSetPersistentVolumeClaimRetentionPolicy? ordinals:11:apps.v1beta1.StatefulSetOrdinals?
apps.v1beta1.StatefulSetStatus observedGeneration:1:i? replicas:2:i readyReplicas:3:i currentReplicas:4:i updatedReplicas:5:i currentRevision:6:s updateRevision:7:s collisionCount:9:i? conditions:10:*apps.v1beta1.StatefulSetCondition availableReplicas:11:i
apps.v1beta1.StatefulSetUpdateStrategy type:1:s rollingUpdate:2:apps.v1beta1.RollingUpdateStatefulSetStrategy?
apps.v1beta2.ControllerRevision metadata:1:meta.v1.ObjectMeta data:2:runtime.RawExtension revision:3:i
apps.v1beta2.ControllerRevisionList metadata:1:meta.v1.ListMeta items:2:*apps.v1beta2.ControllerRevision
apps.v1beta2.DaemonSet metadata:1:meta.v1.ObjectMeta spec:2:apps.v1beta2.DaemonSetSpec status:3:apps.v1beta2.DaemonSetStatus
apps.v1beta2.DaemonSetCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
apps.v1beta2.DaemonSetList metadata:1:meta.v1.ListMeta items:2:*apps.v1beta2.DaemonSet
apps.v1beta2.DaemonSetSpec selector:1:meta.v1.LabelSelector? template:2:core.v1.PodTemplateSpec updateStrategy:3:apps.v1beta2.DaemonSetUpdateStrategy minReadySeconds:4:i revisionHistoryLimit:6:i?
apps.v1beta2.DaemonSetStatus currentNumberScheduled:1:i numberMisscheduled:2:i desiredNumberScheduled:3:i numberReady:4:i observedGeneration:5:i updatedNumberScheduled:6:i numberAvailable:7:i numberUnavailable:8:i collisionCount:9:i? conditions:10:*apps.v1beta2.DaemonSetCondition
apps.v1beta2.DaemonSetUpdateStrategy type:1:s rollingUpdate:2:apps.v1beta2.RollingUpdateDaemonSet?
apps.v1beta2.Deployment metadata:1:meta.v1.ObjectMeta spec:2:apps.v1beta2.DeploymentSpec status:3:apps.v1beta2.DeploymentStatus
apps.v1beta2.DeploymentCondition type:1:s status:2:s lastUpdateTime:6:meta.v1.Time lastTransitionTime:7:meta.v1.Time reason:4:s message:5:s
apps.v1beta2.DeploymentList metadata:1:meta.v1.ListMeta items:2:*apps.v1beta2.Deployment
apps.v1beta2.DeploymentSpec replicas:1:i? selector:2:meta.v1.LabelSelector? template:3:core.v1.PodTemplateSpec strategy:4:apps.v1beta2.DeploymentStrategy minReadySeconds:5:i revisionHistoryLimit:6:i? paused:7:b progressDeadlineSeconds:9:i?
apps.v1beta2.DeploymentStatus observedGeneration:1:i replicas:2:i updatedReplicas:3:i readyReplicas:7:i availableReplicas:4:i unavailableReplicas:5:i terminatingReplicas:9:i? conditions:6:*apps.v1beta2.DeploymentCondition collisionCount:8:i?
apps.v1beta2.DeploymentStrategy type:1:s rollingUpdate:2:apps.v1beta2.RollingUpdateDeployment?
apps.v1beta2.ReplicaSet metadata:1:meta.v1.ObjectMeta spec:2:apps.v1beta2.ReplicaSetSpec status:3:apps.v1beta2.ReplicaSetStatus
apps.v1beta2.ReplicaSetCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
apps.v1beta2.ReplicaSetList metadata:1:meta.v1.ListMeta items:2:*apps.v1beta2.ReplicaSet
apps.v1beta2.ReplicaSetSpec replicas:1:i? minReadySeconds:4:i selector:2:meta.v1.LabelSelector? template:3:core.v1.PodTemplateSpec
apps.v1beta2.ReplicaSetStatus replicas:1:i fullyLabeledReplicas:2:i readyReplicas:4:i availableReplicas:5:i terminatingReplicas:7:i? observedGeneration:3:i conditions:6:*apps.v1beta2.ReplicaSetCondition
apps.v1beta2.RollingUpdateDaemonSet maxUnavailable:1:intstr.IntOrString? maxSurge:2:intstr.IntOrString?
apps.v1beta2.RollingUpdateDeployment maxUnavailable:1:intstr.IntOrString? maxSurge:2:intstr.IntOrString?
apps.v1beta2.RollingUpdateStatefulSetStrategy partition:1:i? maxUnavailable:2:intstr.IntOrString?
apps.v1beta2.Scale metadata:1:meta.v1.ObjectMeta spec:2:apps.v1beta2.ScaleSpec status:3:apps.v1beta2.ScaleStatus
apps.v1beta2.ScaleSpec replicas:1:i
apps.v1beta2.ScaleStatus replicas:1:i selector:2:%s targetSelector:3:s
apps.v1beta2.StatefulSet metadata:1:meta.v1.ObjectMeta spec:2:apps.v1beta2.StatefulSetSpec status:3:apps.v1beta2.StatefulSetStatus
apps.v1beta2.StatefulSetCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
apps.v1beta2.StatefulSetList metadata:1:meta.v1.ListMeta items:2:*apps.v1beta2.StatefulSet
apps.v1beta2.StatefulSetOrdinals start:1:i
apps.v1beta2.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:1:s whenScaled:2:s
apps.v1beta2.StatefulSetSpec replicas:1:i? selector:2:meta.v1.LabelSelector? template:3:core.v1.PodTemplateSpec volumeClaimTemplates:4:*core.v1.PersistentVolumeClaim serviceName:5:s podManagementPolicy:6:s updateStrategy:7:apps.v1beta2.StatefulSetUpdateStrategy revisionHistoryLimit:8:i? minReadySeconds:9:i persistentVolumeClaimRetentionPolicy:10:apps.v1beta2.StatefulSetPersistentVolumeClaimRetentionPolicy? ordinals:11:apps.v1beta2.StatefulSetOrdinals?
apps.v1beta2.StatefulSetStatus observedGeneration:1:i replicas:2:i readyReplicas:3:i currentReplicas:4:i updatedReplicas:5:i currentRevision:6:s updateRevision:7:s collisionCount:9:i? conditions:10:*apps.v1beta2.StatefulSetCondition availableReplicas:11:i
apps.v1beta2.StatefulSetUpdateStrategy type:1:s rollingUpdate:2:apps.v1beta2.RollingUpdateStatefulSetStrategy?
authentication.v1.BoundObjectReference kind:1:s apiVersion:2:s name:3:s uid:4:s
authentication.v1.ExtraValue items:1:*s
authentication.v1.SelfSubjectReview metadata:1:meta.v1.ObjectMeta status:2:authentication.v1.SelfSubjectReviewStatus
authentication.v1.SelfSubjectReviewStatus userInfo:1:authentication.v1.UserInfo
authentication.v1.TokenRequest metadata:1:meta.v1.ObjectMeta spec:2:authentication.v1.TokenRequestSpec status:3:authentication.v1.TokenRequestStatus
authentication.v1.TokenRequestSpec audiences:1:*s expirationSeconds:4:i? boundObjectRef:3:authentication.v1.BoundObjectReference?
authentication.v1.TokenRequestStatus token:1:s expirationTimestamp:2:meta.v1.Time
authentication.v1.TokenReview metadata:1:meta.v1.ObjectMeta spec:2:authentication.v1.TokenReviewSpec status:3:authentication.v1.TokenReviewStatus
authentication.v1.TokenReviewSpec token:1:s audiences:2:*s
authentication.v1.TokenReviewStatus authenticated:1:b user:2:authentication.v1.UserInfo audiences:4:*s error:3:s
authentication.v1.UserInfo username:1:s uid:2:s groups:3:*s extra:4:%authentication.v1.ExtraValue
authentication.v1alpha1.SelfSubjectReview metadata:1:meta.v1.ObjectMeta status:2:authentication.v1alpha1.SelfSubjectReviewStatus
authentication.v1alpha1.SelfSubjectReviewStatus userInfo:1:authentication.v1.UserInfo
authentication.v1beta1.ExtraValue items:1:*s
authentication.v1beta1.SelfSubjectReview metadata:1:meta.v1.ObjectMeta status:2:authentication.v1beta1.SelfSubjectReviewStatus
authentication.v1beta1.SelfSubjectReviewStatus userInfo:1:authentication.v1.UserInfo
authentication.v1beta1.TokenReview metadata:1:meta.v1.ObjectMeta spec:2:authentication.v1beta1.TokenReviewSpec status:3:authentication.v1beta1.TokenReviewStatus
authentication.v1beta1.TokenReviewSpec token:1:s audiences:2:*s
authentication.v1beta1.TokenReviewStatus authenticated:1:b user:2:authentication.v1beta1.UserInfo audiences:4:*s error:3:s
authentication.v1beta1.UserInfo username:1:s uid:2:s groups:3:*s extra:4:%authentication.v1beta1.ExtraValue
authorization.v1.ExtraValue items:1:*s
authorization.v1.FieldSelectorAttributes rawSelector:1:s requirements:2:*meta.v1.FieldSelectorRequirement
authorization.v1.LabelSelectorAttributes rawSelector:1:s requirements:2:*meta.v1.LabelSelectorRequirement
authorization.v1.LocalSubjectAccessReview metadata:1:meta.v1.ObjectMeta spec:2:authorization.v1.SubjectAccessReviewSpec status:3:authorization.v1.SubjectAccessReviewStatus
authorization.v1.NonResourceAttributes path:1:s verb:2:s
authorization.v1.NonResourceRule verbs:1:*s nonResourceURLs:2:*s
authorization.v1.ResourceAttributes namespace:1:s verb:2:s group:3:s version:4:s resource:5:s subresource:6:s name:7:s fieldSelector:8:authorization.v1.FieldSelectorAttributes? labelSelector:9:authorization.v1.LabelSelectorAttributes?
authorization.v1.ResourceRule verbs:1:*s apiGroups:2:*s resources:3:*s resourceNames:4:*s
authorization.v1.SelfSubjectAccessReview metadata:1:meta.v1.ObjectMeta spec:2:authorization.v1.SelfSubjectAccessReviewSpec status:3:authorization.v1.SubjectAccessReviewStatus
authorization.v1.SelfSubjectAccessReviewSpec resourceAttributes:1:authorization.v1.ResourceAttributes? nonResourceAttributes:2:authorization.v1.NonResourceAttributes?
authorization.v1.SelfSubjectRulesReview metadata:1:meta.v1.ObjectMeta spec:2:authorization.v1.SelfSubjectRulesReviewSpec status:3:authorization.v1.SubjectRulesReviewStatus
authorization.v1.SelfSubjectRulesReviewSpec namespace:1:s
authorization.v1.SubjectAccessReview metadata:1:meta.v1.ObjectMeta spec:2:authorization.v1.SubjectAccessReviewSpec status:3:authorization.v1.SubjectAccessReviewStatus
authorization.v1.SubjectAccessReviewSpec resourceAttributes:1:authorization.v1.ResourceAttributes? nonResourceAttributes:2:authorization.v1.NonResourceAttributes? user:3:s groups:4:*s extra:5:%authorization.v1.ExtraValue uid:6:s
authorization.v1.SubjectAccessReviewStatus allowed:1:b denied:4:b reason:2:s evaluationError:3:s
authorization.v1.SubjectRulesReviewStatus resourceRules:1:*authorization.v1.ResourceRule nonResourceRules:2:*authorization.v1.NonResourceRule incomplete:3:b evaluationError:4:s
authorization.v1beta1.ExtraValue items:1:*s
authorization.v1beta1.LocalSubjectAccessReview metadata:1:meta.v1.ObjectMeta spec:2:authorization.v1beta1.SubjectAccessReviewSpec status:3:authorization.v1beta1.SubjectAccessReviewStatus
authorization.v1beta1.NonResourceAttributes path:1:s verb:2:s
authorization.v1beta1.NonResourceRule verbs:1:*s nonResourceURLs:2:*s
authorization.v1beta1.ResourceAttributes namespace:1:s verb:2:s group:3:s version:4:s resource:5:s subresource:6:s name:7:s fieldSelector:8:authorization.v1.FieldSelectorAttributes? labelSelector:9:authorization.v1.LabelSelectorAttributes?
authorization.v1beta1.ResourceRule verbs:1:*s apiGroups:2:*s resources:3:*s resourceNames:4:*s
authorization.v1beta1.SelfSubjectAccessReview metadata:1:meta.v1.ObjectMeta spec:2:authorization.v1beta1.SelfSubjectAccessReviewSpec status:3:authorization.v1beta1.SubjectAccessReviewStatus
authorization.v1beta1.SelfSubjectAccessReviewSpec resourceAttributes:1:authorization.v1beta1.ResourceAttributes? nonResourceAttributes:2:authorization.v1beta1.NonResourceAttributes?
authorization.v1beta1.SelfSubjectRulesReview metadata:1:meta.v1.ObjectMeta spec:2:authorization.v1beta1.SelfSubjectRulesReviewSpec status:3:authorization.v1beta1.SubjectRulesReviewStatus
authorization.v1beta1.SelfSubjectRulesReviewSpec namespace:1:s
authorization.v1beta1.SubjectAccessReview metadata:1:meta.v1.ObjectMeta spec:2:authorization.v1beta1.SubjectAccessReviewSpec status:3:authorization.v1beta1.SubjectAccessReviewStatus
authorization.v1beta1.SubjectAccessReviewSpec resourceAttributes:1:authorization.v1beta1.ResourceAttributes? nonResourceAttributes:2:authorization.v1beta1.NonResourceAttributes? user:3:s group:4:*s extra:5:%authorization.v1beta1.ExtraValue uid:6:s
authorization.v1beta1.SubjectAccessReviewStatus allowed:1:b denied:4:b reason:2:s evaluationError:3:s
authorization.v1beta1.SubjectRulesReviewStatus resourceRules:1:*authorization.v1beta1.ResourceRule nonResourceRules:2:*authorization.v1beta1.NonResourceRule incomplete:3:b evaluationError:4:s
autoscaling.v1.ContainerResourceMetricSource name:1:s targetAverageUtilization:2:i? targetAverageValue:3:resource.Quantity? container:5:s
autoscaling.v1.ContainerResourceMetricStatus name:1:s currentAverageUtilization:2:i? currentAverageValue:3:resource.Quantity container:4:s
autoscaling.v1.CrossVersionObjectReference kind:1:s name:2:s apiVersion:3:s
autoscaling.v1.ExternalMetricSource metricName:1:s metricSelector:2:meta.v1.LabelSelector? targetValue:3:resource.Quantity? targetAverageValue:4:resource.Quantity?
autoscaling.v1.ExternalMetricStatus metricName:1:s metricSelector:2:meta.v1.LabelSelector? currentValue:3:resource.Quantity currentAverageValue:4:resource.Quantity?
autoscaling.v1.HorizontalPodAutoscaler metadata:1:meta.v1.ObjectMeta spec:2:autoscaling.v1.HorizontalPodAutoscalerSpec status:3:autoscaling.v1.HorizontalPodAutoscalerStatus
autoscaling.v1.HorizontalPodAutoscalerCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
autoscaling.v1.HorizontalPodAutoscalerList metadata:1:meta.v1.ListMeta items:2:*autoscaling.v1.HorizontalPodAutoscaler
autoscaling.v1.HorizontalPodAutoscalerSpec scaleTargetRef:1:autoscaling.v1.CrossVersionObjectReference minReplicas:2:i? maxReplicas:3:i targetCPUUtilizationPercentage:4:i?
autoscaling.v1.HorizontalPodAutoscalerStatus observedGeneration:1:i? lastScaleTime:2:meta.v1.Time? currentReplicas:3:i desiredReplicas:4:i currentCPUUtilizationPercentage:5:i?
autoscaling.v1.MetricSpec type:1:s object:2:autoscaling.v1.ObjectMetricSource? pods:3:autoscaling.v1.PodsMetricSource? resource:4:autoscaling.v1.ResourceMetricSource? containerResource:7:autoscaling.v1.ContainerResourceMetricSource? external:5:autoscaling.v1.ExternalMetricSource?
autoscaling.v1.MetricStatus type:1:s object:2:autoscaling.v1.ObjectMetricStatus? pods:3:autoscaling.v1.PodsMetricStatus? resource:4:autoscaling.v1.ResourceMetricStatus? containerResource:7:autoscaling.v1.ContainerResourceMetricStatus? external:5:autoscaling.v1.ExternalMetricStatus?
autoscaling.v1.ObjectMetricSource target:1:autoscaling.v1.CrossVersionObjectReference metricName:2:s targetValue:3:resource.Quantity selector:4:meta.v1.LabelSelector? averageValue:5:resource.Quantity?
autoscaling.v1.ObjectMetricStatus target:1:autoscaling.v1.CrossVersionObjectReference metricName:2:s currentValue:3:resource.Quantity selector:4:meta.v1.LabelSelector? averageValue:5:resource.Quantity?
autoscaling.v1.PodsMetricSource metricName:1:s targetAverageValue:2:resource.Quantity selector:3:meta.v1.LabelSelector?
autoscaling.v1.PodsMetricStatus metricName:1:s currentAverageValue:2:resource.Quantity selector:3:meta.v1.LabelSelector?
autoscaling.v1.ResourceMetricSource name:1:s targetAverageUtilization:2:i? targetAverageValue:3:resource.Quantity?
autoscaling.v1.ResourceMetricStatus name:1:s currentAverageUtilization:2:i? currentAverageValue:3:resource.Quantity
autoscaling.v1.Scale metadata:1:meta.v1.ObjectMeta spec:2:autoscaling.v1.ScaleSpec status:3:autoscaling.v1.ScaleStatus
autoscaling.v1.ScaleSpec replicas:1:i
autoscaling.v1.ScaleStatus replicas:1:i selector:2:s
autoscaling.v2.ContainerResourceMetricSource name:1:s target:2:autoscaling.v2.MetricTarget container:3:s
autoscaling.v2.ContainerResourceMetricStatus name:1:s current:2:autoscaling.v2.MetricValueStatus container:3:s
autoscaling.v2.CrossVersionObjectReference kind:1:s name:2:s apiVersion:3:s
autoscaling.v2.ExternalMetricSource metric:1:autoscaling.v2.MetricIdentifier target:2:autoscaling.v2.MetricTarget
autoscaling.v2.ExternalMetricStatus metric:1:autoscaling.v2.MetricIdentifier current:2:autoscaling.v2.MetricValueStatus
autoscaling.v2.HPAScalingPolicy type:1:s value:2:i periodSeconds:3:i
autoscaling.v2.HPAScalingRules stabilizationWindowSeconds:3:i? selectPolicy:1:s? policies:2:*autoscaling.v2.HPAScalingPolicy tolerance:4:resource.Quantity?
autoscaling.v2.HorizontalPodAutoscaler metadata:1:meta.v1.ObjectMeta spec:2:autoscaling.v2.HorizontalPodAutoscalerSpec status:3:autoscaling.v2.HorizontalPodAutoscalerStatus
autoscaling.v2.HorizontalPodAutoscalerBehavior scaleUp:1:autoscaling.v2.HPAScalingRules? scaleDown:2:autoscaling.v2.HPAScalingRules?
autoscaling.v2.HorizontalPodAutoscalerCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
autoscaling.v2.HorizontalPodAutoscalerList metadata:1:meta.v1.ListMeta items:2:*autoscaling.v2.HorizontalPodAutoscaler
autoscaling.v2.HorizontalPodAutoscalerSpec scaleTargetRef:1:autoscaling.v2.CrossVersionObjectReference minReplicas:2:i? maxReplicas:3:i metrics:4:*autoscaling.v2.MetricSpec behavior:5:autoscaling.v2.HorizontalPodAutoscalerBehavior?
autoscaling.v2.HorizontalPodAutoscalerStatus observedGeneration:1:i? lastScaleTime:2:meta.v1.Time? currentReplicas:3:i desiredReplicas:4:i currentMetrics:5:*autoscaling.v2.MetricStatus conditions:6:*autoscaling.v2.HorizontalPodAutoscalerCondition
autoscaling.v2.MetricIdentifier name:1:s selector:2:meta.v1.LabelSelector?
autoscaling.v2.MetricSpec type:1:s object:2:autoscaling.v2.ObjectMetricSource? pods:3:autoscaling.v2.PodsMetricSource? resource:4:autoscaling.v2.ResourceMetricSource? containerResource:7:autoscaling.v2.ContainerResourceMetricSource? external:5:autoscaling.v2.ExternalMetricSource?
autoscaling.v2.MetricStatus type:1:s object:2:autoscaling.v2.ObjectMetricStatus? pods:3:autoscaling.v2.PodsMetricStatus? resource:4:autoscaling.v2.ResourceMetricStatus? containerResource:7:autoscaling.v2.ContainerResourceMetricStatus? external:5:autoscaling.v2.ExternalMetricStatus?
autoscaling.v2.MetricTarget type:1:s value:2:resource.Quantity? averageValue:3:resource.Quantity? averageUtilization:4:i?
autoscaling.v2.MetricValueStatus value:1:resource.Quantity? averageValue:2:resource.Quantity? averageUtilization:3:i?
autoscaling.v2.ObjectMetricSource describedObject:1:autoscaling.v2.CrossVersionObjectReference target:2:autoscaling.v2.MetricTarget metric:3:autoscaling.v2.MetricIdentifier
autoscaling.v2.ObjectMetricStatus metric:1:autoscaling.v2.MetricIdentifier current:2:autoscaling.v2.MetricValueStatus describedObject:3:autoscaling.v2.CrossVersionObjectReference
autoscaling.v2.PodsMetricSource metric:1:autoscaling.v2.MetricIdentifier target:2:autoscaling.v2.MetricTarget
autoscaling.v2.PodsMetricStatus metric:1:autoscaling.v2.MetricIdentifier current:2:autoscaling.v2.MetricValueStatus
autoscaling.v2.ResourceMetricSource name:1:s target:2:autoscaling.v2.MetricTarget
autoscaling.v2.ResourceMetricStatus name:1:s current:2:autoscaling.v2.MetricValueStatus
batch.v1.CronJob metadata:1:meta.v1.ObjectMeta spec:2:batch.v1.CronJobSpec status:3:batch.v1.CronJobStatus
batch.v1.CronJobList metadata:1:meta.v1.ListMeta items:2:*batch.v1.CronJob
batch.v1.CronJobSpec schedule:1:s timeZone:8:s? startingDeadlineSeconds:2:i? concurrencyPolicy:3:s suspend:4:b? jobTemplate:5:batch.v1.JobTemplateSpec successfulJobsHistoryLimit:6:i? failedJobsHistoryLimit:7:i?
batch.v1.CronJobStatus active:1:*core.v1.ObjectReference lastScheduleTime:4:meta.v1.Time? lastSuccessfulTime:5:meta.v1.Time?
batch.v1.Job metadata:1:meta.v1.ObjectMeta spec:2:batch.v1.JobSpec status:3:batch.v1.JobStatus
batch.v1.JobCondition type:1:s status:2:s lastProbeTime:3:meta.v1.Time lastTransitionTime:4:meta.v1.Time reason:5:s message:6:s
batch.v1.JobList metadata:1:meta.v1.ListMeta items:2:*batch.v1.Job
batch.v1.JobSpec parallelism:1:i? completions:2:i? activeDeadlineSeconds:3:i? podFailurePolicy:11:batch.v1.PodFailurePolicy? successPolicy:16:batch.v1.SuccessPolicy? backoffLimit:7:i? backoffLimitPerIndex:12:i? maxFailedIndexes:13:i? selector:4:meta.v1.LabelSelector? manualSelector:5:b? template:6:core.v1.PodTemplateSpec ttlSecondsAfterFinished:8:i? completionMode:9:s? suspend:10:b? podReplacementPolicy:14:s? managedBy:15:s?
batch.v1.JobStatus conditions:1:*batch.v1.JobCondition startTime:2:meta.v1.Time? completionTime:3:meta.v1.Time? active:4:i succeeded:5:i failed:6:i terminating:11:i? completedIndexes:7:s failedIndexes:10:s? uncountedTerminatedPods:8:batch.v1.UncountedTerminatedPods? ready:9:i?
batch.v1.JobTemplateSpec metadata:1:meta.v1.ObjectMeta spec:2:batch.v1.JobSpec
batch.v1.PodFailurePolicy rules:1:*batch.v1.PodFailurePolicyRule
batch.v1.PodFailurePolicyOnExitCodesRequirement containerName:1:s? operator:2:s values:3:*i
batch.v1.PodFailurePolicyOnPodConditionsPattern type:1:s status:2:s
batch.v1.PodFailurePolicyRule action:1:s onExitCodes:2:batch.v1.PodFailurePolicyOnExitCodesRequirement? onPodConditions:3:*batch.v1.PodFailurePolicyOnPodConditionsPattern
batch.v1.SuccessPolicy rules:1:*batch.v1.SuccessPolicyRule
batch.v1.SuccessPolicyRule succeededIndexes:1:s? succeededCount:2:i?
batch.v1.UncountedTerminatedPods succeeded:1:*s failed:2:*s
batch.v1beta1.CronJob metadata:1:meta.v1.ObjectMeta spec:2:batch.v1beta1.CronJobSpec status:3:batch.v1beta1.CronJobStatus
batch.v1beta1.CronJobList metadata:1:meta.v1.ListMeta items:2:*batch.v1beta1.CronJob
batch.v1beta1.CronJobSpec schedule:1:s timeZone:8:s? startingDeadlineSeconds:2:i? concurrencyPolicy:3:s suspend:4:b? jobTemplate:5:batch.v1beta1.JobTemplateSpec successfulJobsHistoryLimit:6:i? failedJobsHistoryLimit:7:i?
batch.v1beta1.CronJobStatus active:1:*core.v1.ObjectReference lastScheduleTime:4:meta.v1.Time? lastSuccessfulTime:5:meta.v1.Time?
batch.v1beta1.JobTemplateSpec metadata:1:meta.v1.ObjectMeta spec:2:batch.v1.JobSpec
certificates.v1.CertificateSigningRequest metadata:1:meta.v1.ObjectMeta spec:2:certificates.v1.CertificateSigningRequestSpec status:3:certificates.v1.CertificateSigningRequestStatus
certificates.v1.CertificateSigningRequestCondition type:1:s status:6:s reason:2:s message:3:s lastUpdateTime:4:meta.v1.Time lastTransitionTime:5:meta.v1.Time
certificates.v1.CertificateSigningRequestList metadata:1:meta.v1.ListMeta items:2:*certificates.v1.CertificateSigningRequest
certificates.v1.CertificateSigningRequestSpec request:1:y signerName:7:s expirationSeconds:8:i? usages:5:*s username:2:s uid:3:s groups:4:*s extra:6:%certificates.v1.ExtraValue
certificates.v1.CertificateSigningRequestStatus conditions:1:*certificates.v1.CertificateSigningRequestCondition certificate:2:y
certificates.v1.ExtraValue items:1:*s
certificates.v1alpha1.ClusterTrustBundle metadata:1:meta.v1.ObjectMeta spec:2:certificates.v1alpha1.ClusterTrustBundleSpec
certificates.v1alpha1.ClusterTrustBundleList metadata:1:meta.v1.ListMeta items:2:*certificates.v1alpha1.ClusterTrustBundle
certificates.v1alpha1.ClusterTrustBundleSpec signerName:1:s trustBundle:2:s
certificates.v1beta1.CertificateSigningRequest metadata:1:meta.v1.ObjectMeta spec:2:certificates.v1beta1.CertificateSigningRequestSpec status:3:certificates.v1beta1.CertificateSigningRequestStatus
certificates.v1beta1.CertificateSigningRequestCondition type:1:s status:6:s reason:2:s message:3:s lastUpdateTime:4:meta.v1.Time lastTransitionTime:5:meta.v1.Time
certificates.v1beta1.CertificateSigningRequestList metadata:1:meta.v1.ListMeta items:2:*certificates.v1beta1.CertificateSigningRequest
certificates.v1beta1.CertificateSigningRequestSpec request:1:y signerName:7:s? expirationSeconds:8:i? usages:5:*s username:2:s uid:3:s groups:4:*s extra:6:%certificates.v1beta1.ExtraValue
certificates.v1beta1.CertificateSigningRequestStatus conditions:1:*certificates.v1beta1.CertificateSigningRequestCondition certificate:2:y
certificates.v1beta1.ClusterTrustBundle metadata:1:meta.v1.ObjectMeta spec:2:certificates.v1beta1.ClusterTrustBundleSpec
certificates.v1beta1.ClusterTrustBundleList metadata:1:meta.v1.ListMeta items:2:*certificates.v1beta1.ClusterTrustBundle
certificates.v1beta1.ClusterTrustBundleSpec signerName:1:s trustBundle:2:s
certificates.v1beta1.ExtraValue items:1:*s
certificates.v1beta1.PodCertificateRequest metadata:1:meta.v1.ObjectMeta spec:2:certificates.v1beta1.PodCertificateRequestSpec status:3:certificates.v1beta1.PodCertificateRequestStatus
certificates.v1beta1.PodCertificateRequestList metadata:1:meta.v1.ListMeta items:2:*certificates.v1beta1.PodCertificateRequest
certificates.v1beta1.PodCertificateRequestSpec signerName:1:s podName:2:s podUID:3:s serviceAccountName:4:s serviceAccountUID:5:s nodeName:6:s nodeUID:7:s maxExpirationSeconds:8:i? pkixPublicKey:9:y proofOfPossession:10:y stubPKCS10Request:12:y unverifiedUserAnnotations:11:%s
certificates.v1beta1.PodCertificateRequestStatus conditions:1:*meta.v1.Condition certificateChain:2:s notBefore:4:meta.v1.Time? beginRefreshAt:5:meta.v1.Time? notAfter:6:meta.v1.Time?
coordination.v1.Lease metadata:1:meta.v1.ObjectMeta spec:2:coordination.v1.LeaseSpec
coordination.v1.LeaseList metadata:1:meta.v1.ListMeta items:2:*coordination.v1.Lease
coordination.v1.LeaseSpec holderIdentity:1:s? leaseDurationSeconds:2:i? acquireTime:3:meta.v1.MicroTime? renewTime:4:meta.v1.MicroTime? leaseTransitions:5:i? strategy:6:s? preferredHolder:7:s?
coordination.v1alpha2.LeaseCandidate metadata:1:meta.v1.ObjectMeta spec:2:coordination.v1alpha2.LeaseCandidateSpec
coordination.v1alpha2.LeaseCandidateList metadata:1:meta.v1.ListMeta items:2:*coordination.v1alpha2.LeaseCandidate
coordination.v1alpha2.LeaseCandidateSpec leaseName:1:s pingTime:2:meta.v1.MicroTime? renewTime:3:meta.v1.MicroTime? binaryVersion:4:s emulationVersion:5:s strategy:6:s
coordination.v1beta1.Lease metadata:1:meta.v1.ObjectMeta spec:2:coordination.v1beta1.LeaseSpec
coordination.v1beta1.LeaseCandidate metadata:1:meta.v1.ObjectMeta spec:2:coordination.v1beta1.LeaseCandidateSpec
coordination.v1beta1.LeaseCandidateList metadata:1:meta.v1.ListMeta items:2:*coordination.v1beta1.LeaseCandidate
coordination.v1beta1.LeaseCandidateSpec leaseName:1:s pingTime:2:meta.v1.MicroTime? renewTime:3:meta.v1.MicroTime? binaryVersion:4:s emulationVersion:5:s strategy:6:s
coordination.v1beta1.LeaseList metadata:1:meta.v1.ListMeta items:2:*coordination.v1beta1.Lease
coordination.v1beta1.LeaseSpec holderIdentity:1:s? leaseDurationSeconds:2:i? acquireTime:3:meta.v1.MicroTime? renewTime:4:meta.v1.MicroTime? leaseTransitions:5:i? strategy:6:s? preferredHolder:7:s?
core.v1.AWSElasticBlockStoreVolumeSource volumeID:1:s fsType:2:s partition:3:i readOnly:4:b
core.v1.Affinity nodeAffinity:1:core.v1.NodeAffinity? podAffinity:2:core.v1.PodAffinity? podAntiAffinity:3:core.v1.PodAntiAffinity?
core.v1.AppArmorProfile type:1:s localhostProfile:2:s?
core.v1.AttachedVolume name:1:s devicePath:2:s
core.v1.AvoidPods preferAvoidPods:1:*core.v1.PreferAvoidPodsEntry
core.v1.AzureDiskVolumeSource diskName:1:s diskURI:2:s cachingMode:3:s? fsType:4:s? readOnly:5:b? kind:6:s?
core.v1.AzureFilePersistentVolumeSource secretName:1:s shareName:2:s readOnly:3:b secretNamespace:4:s?
core.v1.AzureFileVolumeSource secretName:1:s shareName:2:s readOnly:3:b
core.v1.Binding metadata:1:meta.v1.ObjectMeta target:2:core.v1.ObjectReference
core.v1.CSIPersistentVolumeSource driver:1:s volumeHandle:2:s readOnly:3:b fsType:4:s volumeAttributes:5:%s controllerPublishSecretRef:6:core.v1.SecretReference? nodeStageSecretRef:7:core.v1.SecretReference? nodePublishSecretRef:8:core.v1.SecretReference? controllerExpandSecretRef:9:core.v1.SecretReference? nodeExpandSecretRef:10:core.v1.SecretReference?
core.v1.CSIVolumeSource driver:1:s readOnly:2:b? fsType:3:s? volumeAttributes:4:%s nodePublishSecretRef:5:core.v1.LocalObjectReference?
core.v1.Capabilities add:1:*s drop:2:*s
core.v1.CephFSPersistentVolumeSource monitors:1:*s path:2:s user:3:s secretFile:4:s secretRef:5:core.v1.SecretReference? readOnly:6:b
core.v1.CephFSVolumeSource monitors:1:*s path:2:s user:3:s secretFile:4:s secretRef:5:core.v1.LocalObjectReference? readOnly:6:b
core.v1.CinderPersistentVolumeSource volumeID:1:s fsType:2:s readOnly:3:b secretRef:4:core.v1.SecretReference?
core.v1.CinderVolumeSource volumeID:1:s fsType:2:s readOnly:3:b secretRef:4:core.v1.LocalObjectReference?
core.v1.ClientIPConfig timeoutSeconds:1:i?
core.v1.ClusterTrustBundleProjection name:1:s? signerName:2:s? labelSelector:3:meta.v1.LabelSelector? optional:5:b? path:4:s
core.v1.ComponentCondition type:1:s status:2:s message:3:s error:4:s
core.v1.ComponentStatus metadata:1:meta.v1.ObjectMeta conditions:2:*core.v1.ComponentCondition
core.v1.ComponentStatusList metadata:1:meta.v1.ListMeta items:2:*core.v1.ComponentStatus
core.v1.ConfigMap metadata:1:meta.v1.ObjectMeta immutable:4:b? data:2:%s binaryData:3:%y
core.v1.ConfigMapEnvSource localObjectReference:1:core.v1.LocalObjectReference< optional:2:b?
core.v1.ConfigMapKeySelector localObjectReference:1:core.v1.LocalObjectReference< key:2:s optional:3:b?
core.v1.ConfigMapList metadata:1:meta.v1.ListMeta items:2:*core.v1.ConfigMap
core.v1.ConfigMapNodeConfigSource namespace:1:s name:2:s uid:3:s resourceVersion:4:s kubeletConfigKey:5:s
core.v1.ConfigMapProjection localObjectReference:1:core.v1.LocalObjectReference< items:2:*core.v1.KeyToPath optional:4:b?
core.v1.ConfigMapVolumeSource localObjectReference:1:core.v1.LocalObjectReference< items:2:*core.v1.KeyToPath defaultMode:3:i? optional:4:b?
core.v1.Container name:1:s image:2:s command:3:*s args:4:*s workingDir:5:s ports:6:*core.v1.ContainerPort envFrom:19:*core.v1.EnvFromSource env:7:*core.v1.EnvVar resources:8:core.v1.ResourceRequirements resizePolicy:23:*core.v1.ContainerResizePolicy restartPolicy:24:s? restartPolicyRules:25:*core.v1.ContainerRestartRule volumeMounts:9:*core.v1.VolumeMount volumeDevices:21:*core.v1.VolumeDevice livenessProbe:10:core.v1.Probe? readinessProbe:11:core.v1.Probe? startupProbe:22:core.v1.Probe? lifecycle:12:core.v1.Lifecycle? terminationMessagePath:13:s terminationMessagePolicy:20:s imagePullPolicy:14:s securityContext:15:core.v1.SecurityContext? stdin:16:b stdinOnce:17:b tty:18:b
core.v1.ContainerExtendedResourceRequest containerName:1:s resourceName:2:s requestName:3:s
core.v1.ContainerImage names:1:*s sizeBytes:2:i
core.v1.ContainerPort name:1:s hostPort:2:i containerPort:3:i protocol:4:s hostIP:5:s
core.v1.ContainerResizePolicy resourceName:1:s restartPolicy:2:s
core.v1.ContainerRestartRule action:1:s exitCodes:2:core.v1.ContainerRestartRuleOnExitCodes
core.v1.ContainerRestartRuleOnExitCodes operator:1:s values:2:*i
core.v1.ContainerState waiting:1:core.v1.ContainerStateWaiting? running:2:core.v1.ContainerStateRunning? terminated:3:core.v1.ContainerStateTerminated?
core.v1.ContainerStateRunning startedAt:1:meta.v1.Time
core.v1.ContainerStateTerminated exitCode:1:i signal:2:i reason:3:s message:4:s startedAt:5:meta.v1.Time finishedAt:6:meta.v1.Time containerID:7:s
core.v1.ContainerStateWaiting reason:1:s message:2:s
core.v1.ContainerStatus name:1:s state:2:core.v1.ContainerState lastState:3:core.v1.ContainerState ready:4:b restartCount:5:i image:6:s imageID:7:s containerID:8:s started:9:b? allocatedResources:10:%resource.Quantity resources:11:core.v1.ResourceRequirements? volumeMounts:12:*core.v1.VolumeMountStatus user:13:core.v1.ContainerUser? allocatedResourcesStatus:14:*core.v1.ResourceStatus stopSignal:15:s?
core.v1.ContainerUser linux:1:core.v1.LinuxContainerUser?
core.v1.DaemonEndpoint Port:1:i
core.v1.DownwardAPIProjection items:1:*core.v1.DownwardAPIVolumeFile
core.v1.DownwardAPIVolumeFile path:1:s fieldRef:2:core.v1.ObjectFieldSelector? resourceFieldRef:3:core.v1.ResourceFieldSelector? mode:4:i?
core.v1.DownwardAPIVolumeSource items:1:*core.v1.DownwardAPIVolumeFile defaultMode:2:i?
core.v1.EmptyDirVolumeSource medium:1:s sizeLimit:2:resource.Quantity?
core.v1.EndpointAddress ip:1:s hostname:3:s nodeName:4:s? targetRef:2:core.v1.ObjectReference?
core.v1.EndpointPort name:1:s port:2:i protocol:3:s appProtocol:4:s?
core.v1.EndpointSubset addresses:1:*core.v1.EndpointAddress notReadyAddresses:2:*core.v1.EndpointAddress ports:3:*core.v1.EndpointPort
core.v1.Endpoints metadata:1:meta.v1.ObjectMeta subsets:2:*core.v1.EndpointSubset
core.v1.EndpointsList metadata:1:meta.v1.ListMeta items:2:*core.v1.Endpoints
core.v1.EnvFromSource prefix:1:s configMapRef:2:core.v1.ConfigMapEnvSource? secretRef:3:core.v1.SecretEnvSource?
core.v1.EnvVar name:1:s value:2:s valueFrom:3:core.v1.EnvVarSource?
core.v1.EnvVarSource fieldRef:1:core.v1.ObjectFieldSelector? resourceFieldRef:2:core.v1.ResourceFieldSelector? configMapKeyRef:3:core.v1.ConfigMapKeySelector? secretKeyRef:4:core.v1.SecretKeySelector? fileKeyRef:5:core.v1.FileKeySelector?
core.v1.EphemeralContainer ephemeralContainerCommon:1:core.v1.EphemeralContainerCommon< targetContainerName:2:s
core.v1.EphemeralContainerCommon name:1:s image:2:s command:3:*s args:4:*s workingDir:5:s ports:6:*core.v1.ContainerPort envFrom:19:*core.v1.EnvFromSource env:7:*core.v1.EnvVar resources:8:core.v1.ResourceRequirements resizePolicy:23:*core.v1.ContainerResizePolicy restartPolicy:24:s? restartPolicyRules:25:*core.v1.ContainerRestartRule volumeMounts:9:*core.v1.VolumeMount volumeDevices:21:*core.v1.VolumeDevice livenessProbe:10:core.v1.Probe? readinessProbe:11:core.v1.Probe? startupProbe:22:core.v1.Probe? lifecycle:12:core.v1.Lifecycle? terminationMessagePath:13:s terminationMessagePolicy:20:s imagePullPolicy:14:s securityContext:15:core.v1.SecurityContext? stdin:16:b stdinOnce:17:b tty:18:b
core.v1.EphemeralVolumeSource volumeClaimTemplate:1:core.v1.PersistentVolumeClaimTemplate?
core.v1.Event metadata:1:meta.v1.ObjectMeta involvedObject:2:core.v1.ObjectReference reason:3:s message:4:s source:5:core.v1.EventSource firstTimestamp:6:meta.v1.Time lastTimestamp:7:meta.v1.Time count:8:i type:9:s eventTime:10:meta.v1.MicroTime series:11:core.v1.EventSeries? action:12:s related:13:core.v1.ObjectReference? reportingComponent:14:s reportingInstance:15:s
core.v1.EventList metadata:1:meta.v1.ListMeta items:2:*core.v1.Event
core.v1.EventSeries count:1:i lastObservedTime:2:meta.v1.MicroTime
core.v1.EventSource component:1:s host:2:s
core.v1.ExecAction command:1:*s
core.v1.FCVolumeSource targetWWNs:1:*s lun:2:i? fsType:3:s readOnly:4:b wwids:5:*s
core.v1.FileKeySelector volumeName:1:s path:2:s key:3:s optional:4:b?
core.v1.FlexPersistentVolumeSource driver:1:s fsType:2:s secretRef:3:core.v1.SecretReference? readOnly:4:b options:5:%s
core.v1.FlexVolumeSource driver:1:s fsType:2:s secretRef:3:core.v1.LocalObjectReference? readOnly:4:b options:5:%s
core.v1.FlockerVolumeSource datasetName:1:s datasetUUID:2:s
core.v1.GCEPersistentDiskVolumeSource pdName:1:s fsType:2:s partition:3:i readOnly:4:b
core.v1.GRPCAction port:1:i service:2:s?
core.v1.GitRepoVolumeSource repository:1:s revision:2:s directory:3:s
core.v1.GlusterfsPersistentVolumeSource endpoints:1:s path:2:s readOnly:3:b endpointsNamespace:4:s?
core.v1.GlusterfsVolumeSource endpoints:1:s path:2:s readOnly:3:b
core.v1.HTTPGetAction path:1:s port:2:intstr.IntOrString host:3:s scheme:4:s httpHeaders:5:*core.v1.HTTPHeader
core.v1.HTTPHeader name:1:s value:2:s
core.v1.HostAlias ip:1:s hostnames:2:*s
core.v1.HostIP ip:1:s
core.v1.HostPathVolumeSource path:1:s type:2:s?
core.v1.ISCSIPersistentVolumeSource targetPortal:1:s iqn:2:s lun:3:i iscsiInterface:4:s fsType:5:s readOnly:6:b portals:7:*s chapAuthDiscovery:8:b chapAuthSession:11:b secretRef:10:core.v1.SecretReference? initiatorName:12:s?
core.v1.ISCSIVolumeSource targetPortal:1:s iqn:2:s lun:3:i iscsiInterface:4:s fsType:5:s readOnly:6:b portals:7:*s chapAuthDiscovery:8:b chapAuthSession:11:b secretRef:10:core.v1.LocalObjectReference? initiatorName:12:s?
core.v1.ImageVolumeSource reference:1:s pullPolicy:2:s
core.v1.ImageVolumeStatus imageRef:1:s
core.v1.KeyToPath key:1:s path:2:s mode:3:i?
core.v1.Lifecycle postStart:1:core.v1.LifecycleHandler? preStop:2:core.v1.LifecycleHandler? stopSignal:3:s?
core.v1.LifecycleHandler exec:1:core.v1.ExecAction? httpGet:2:core.v1.HTTPGetAction? tcpSocket:3:core.v1.TCPSocketAction? sleep:4:core.v1.SleepAction?
core.v1.LimitRange metadata:1:meta.v1.ObjectMeta spec:2:core.v1.LimitRangeSpec
core.v1.LimitRangeItem type:1:s max:2:%resource.Quantity min:3:%resource.Quantity default:4:%resource.Quantity defaultRequest:5:%resource.Quantity maxLimitRequestRatio:6:%resource.Quantity
core.v1.LimitRangeList metadata:1:meta.v1.ListMeta items:2:*core.v1.LimitRange
core.v1.LimitRangeSpec limits:1:*core.v1.LimitRangeItem
core.v1.LinuxContainerUser uid:1:i gid:2:i supplementalGroups:3:*i
core.v1.List metadata:1:meta.v1.ListMeta items:2:*runtime.RawExtension
core.v1.LoadBalancerIngress ip:1:s hostname:2:s ipMode:3:s? ports:4:*core.v1.PortStatus
core.v1.LoadBalancerStatus ingress:1:*core.v1.LoadBalancerIngress
core.v1.LocalObjectReference name:1:s
core.v1.LocalVolumeSource path:1:s fsType:2:s?
core.v1.ModifyVolumeStatus targetVolumeAttributesClassName:1:s status:2:s
core.v1.NFSVolumeSource server:1:s path:2:s readOnly:3:b
core.v1.Namespace metadata:1:meta.v1.ObjectMeta spec:2:core.v1.NamespaceSpec status:3:core.v1.NamespaceStatus
core.v1.NamespaceCondition type:1:s status:2:s lastTransitionTime:4:meta.v1.Time reason:5:s message:6:s
core.v1.NamespaceList metadata:1:meta.v1.ListMeta items:2:*core.v1.Namespace
core.v1.NamespaceSpec finalizers:1:*s
core.v1.NamespaceStatus phase:1:s conditions:2:*core.v1.NamespaceCondition
core.v1.Node metadata:1:meta.v1.ObjectMeta spec:2:core.v1.NodeSpec status:3:core.v1.NodeStatus
core.v1.NodeAddress type:1:s address:2:s
core.v1.NodeAffinity requiredDuringSchedulingIgnoredDuringExecution:1:core.v1.NodeSelector? preferredDuringSchedulingIgnoredDuringExecution:2:*core.v1.PreferredSchedulingTerm
core.v1.NodeAllocatableResourceClaimStatus resourceClaimName:1:s containers:2:*s resources:3:%resource.Quantity
core.v1.NodeCondition type:1:s status:2:s lastHeartbeatTime:3:meta.v1.Time lastTransitionTime:4:meta.v1.Time reason:5:s message:6:s
core.v1.NodeConfigSource configMap:2:core.v1.ConfigMapNodeConfigSource?
core.v1.NodeConfigStatus assigned:1:core.v1.NodeConfigSource? active:2:core.v1.NodeConfigSource? lastKnownGood:3:core.v1.NodeConfigSource? error:4:s
core.v1.NodeDaemonEndpoints kubeletEndpoint:1:core.v1.DaemonEndpoint
core.v1.NodeFeatures supplementalGroupsPolicy:1:b?
core.v1.NodeList metadata:1:meta.v1.ListMeta items:2:*core.v1.Node
core.v1.NodeProxyOptions path:1:s
core.v1.NodeRuntimeHandler name:1:s features:2:core.v1.NodeRuntimeHandlerFeatures?
core.v1.NodeRuntimeHandlerFeatures recursiveReadOnlyMounts:1:b? userNamespaces:2:b?
core.v1.NodeSelector nodeSelectorTerms:1:*core.v1.NodeSelectorTerm
core.v1.NodeSelectorRequirement key:1:s operator:2:s values:3:*s
core.v1.NodeSelectorTerm matchExpressions:1:*core.v1.NodeSelectorRequirement matchFields:2:*core.v1.NodeSelectorRequirement
core.v1.NodeSpec podCIDR:1:s podCIDRs:7:*s providerID:3:s unschedulable:4:b taints:5:*core.v1.Taint configSource:6:core.v1.NodeConfigSource? externalID:2:s
core.v1.NodeStatus capacity:1:%resource.Quantity allocatable:2:%resource.Quantity phase:3:s conditions:4:*core.v1.NodeCondition addresses:5:*core.v1.NodeAddress daemonEndpoints:6:core.v1.NodeDaemonEndpoints nodeInfo:7:core.v1.NodeSystemInfo images:8:*core.v1.ContainerImage volumesInUse:9:*s volumesAttached:10:*core.v1.AttachedVolume config:11:core.v1.NodeConfigStatus? runtimeHandlers:12:*core.v1.NodeRuntimeHandler features:13:core.v1.NodeFeatures? declaredFeatures:14:*s
core.v1.NodeSwapStatus capacity:1:i?
core.v1.NodeSystemInfo machineID:1:s systemUUID:2:s bootID:3:s kernelVersion:4:s osImage:5:s containerRuntimeVersion:6:s kubeletVersion:7:s kubeProxyVersion:8:s operatingSystem:9:s architecture:10:s swap:11:core.v1.NodeSwapStatus?
core.v1.ObjectFieldSelector apiVersion:1:s fieldPath:2:s
core.v1.ObjectReference kind:1:s namespace:2:s name:3:s uid:4:s apiVersion:5:s resourceVersion:6:s fieldPath:7:s
core.v1.PersistentVolume metadata:1:meta.v1.ObjectMeta spec:2:core.v1.PersistentVolumeSpec status:3:core.v1.PersistentVolumeStatus
core.v1.PersistentVolumeClaim metadata:1:meta.v1.ObjectMeta spec:2:core.v1.PersistentVolumeClaimSpec status:3:core.v1.PersistentVolumeClaimStatus
core.v1.PersistentVolumeClaimCondition type:1:s status:2:s lastProbeTime:3:meta.v1.Time lastTransitionTime:4:meta.v1.Time reason:5:s message:6:s
core.v1.PersistentVolumeClaimList metadata:1:meta.v1.ListMeta items:2:*core.v1.PersistentVolumeClaim
core.v1.PersistentVolumeClaimSpec accessModes:1:*s selector:4:meta.v1.LabelSelector? resources:2:core.v1.VolumeResourceRequirements volumeName:3:s storageClassName:5:s? volumeMode:6:s? dataSource:7:core.v1.TypedLocalObjectReference? dataSourceRef:8:core.v1.TypedObjectReference? volumeAttributesClassName:9:s?
core.v1.PersistentVolumeClaimStatus phase:1:s accessModes:2:*s capacity:3:%resource.Quantity conditions:4:*core.v1.PersistentVolumeClaimCondition allocatedResources:5:%resource.Quantity allocatedResourceStatuses:7:%s currentVolumeAttributesClassName:8:s? modifyVolumeStatus:9:core.v1.ModifyVolumeStatus?
core.v1.PersistentVolumeClaimTemplate metadata:1:meta.v1.ObjectMeta spec:2:core.v1.PersistentVolumeClaimSpec
core.v1.PersistentVolumeClaimVolumeSource claimName:1:s readOnly:2:b
core.v1.PersistentVolumeList metadata:1:meta.v1.ListMeta items:2:*core.v1.PersistentVolume
core.v1.PersistentVolumeSource gcePersistentDisk:1:core.v1.GCEPersistentDiskVolumeSource? awsElasticBlockStore:2:core.v1.AWSElasticBlockStoreVolumeSource? hostPath:3:core.v1.HostPathVolumeSource? glusterfs:4:core.v1.GlusterfsPersistentVolumeSource? nfs:5:core.v1.NFSVolumeSource? rbd:6:core.v1.RBDPersistentVolumeSource? iscsi:7:core.v1.ISCSIPersistentVolumeSource? cinder:8:core.v1.CinderPersistentVolumeSource? cephfs:9:core.v1.CephFSPersistentVolumeSource? fc:10:core.v1.FCVolumeSource? flocker:11:core.v1.FlockerVolumeSource? flexVolume:12:core.v1.FlexPersistentVolumeSource? azureFile:13:core.v1.AzureFilePersistentVolumeSource? vsphereVolume:14:core.v1.VsphereVirtualDiskVolumeSource? quobyte:15:core.v1.QuobyteVolumeSource? azureDisk:16:core.v1.AzureDiskVolumeSource? photonPersistentDisk:17:core.v1.PhotonPersistentDiskVolumeSource? portworxVolume:18:core.v1.PortworxVolumeSource? scaleIO:19:core.v1.ScaleIOPersistentVolumeSource? local:20:core.v1.LocalVolumeSource? storageos:21:core.v1.StorageOSPersistentVolumeSource? csi:22:core.v1.CSIPersistentVolumeSource?
core.v1.PersistentVolumeSpec capacity:1:%resource.Quantity persistentVolumeSource:2:core.v1.PersistentVolumeSource< accessModes:3:*s claimRef:4:core.v1.ObjectReference? persistentVolumeReclaimPolicy:5:s storageClassName:6:s mountOptions:7:*s volumeMode:8:s? nodeAffinity:9:core.v1.VolumeNodeAffinity? volumeAttributesClassName:10:s?
core.v1.PersistentVolumeStatus phase:1:s message:2:s reason:3:s lastPhaseTransitionTime:4:meta.v1.Time?
core.v1.PhotonPersistentDiskVolumeSource pdID:1:s fsType:2:s
core.v1.Pod metadata:1:meta.v1.ObjectMeta spec:2:core.v1.PodSpec status:3:core.v1.PodStatus
core.v1.PodAffinity requiredDuringSchedulingIgnoredDuringExecution:1:*core.v1.PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:2:*core.v1.WeightedPodAffinityTerm
core.v1.PodAffinityTerm labelSelector:1:meta.v1.LabelSelector? namespaces:2:*s topologyKey:3:s namespaceSelector:4:meta.v1.LabelSelector? matchLabelKeys:5:*s mismatchLabelKeys:6:*s
core.v1.PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution:1:*core.v1.PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:2:*core.v1.WeightedPodAffinityTerm
core.v1.PodAttachOptions stdin:1:b stdout:2:b stderr:3:b tty:4:b container:5:s
core.v1.PodCertificateProjection signerName:1:s keyType:2:s maxExpirationSeconds:3:i? credentialBundlePath:4:s keyPath:5:s certificateChainPath:6:s userAnnotations:7:%s
core.v1.PodCondition type:1:s observedGeneration:7:i status:2:s lastProbeTime:3:meta.v1.Time lastTransitionTime:4:meta.v1.Time reason:5:s message:6:s
core.v1.PodDNSConfig nameservers:1:*s searches:2:*s options:3:*core.v1.PodDNSConfigOption
core.v1.PodDNSConfigOption name:1:s value:2:s?
core.v1.PodExecOptions stdin:1:b stdout:2:b stderr:3:b tty:4:b container:5:s command:6:*s
core.v1.PodExtendedResourceClaimStatus requestMappings:1:*core.v1.ContainerExtendedResourceRequest resourceClaimName:2:s
core.v1.PodIP ip:1:s
core.v1.PodList metadata:1:meta.v1.ListMeta items:2:*core.v1.Pod
core.v1.PodLogOptions container:1:s follow:2:b previous:3:b sinceSeconds:4:i? sinceTime:5:meta.v1.Time? timestamps:6:b tailLines:7:i? limitBytes:8:i? insecureSkipTLSVerifyBackend:9:b stream:10:s?
core.v1.PodOS name:1:s
core.v1.PodPortForwardOptions ports:1:*i
core.v1.PodProxyOptions path:1:s
core.v1.PodReadinessGate conditionType:1:s
core.v1.PodResourceClaim name:1:s resourceClaimName:3:s? resourceClaimTemplateName:4:s?
core.v1.PodResourceClaimStatus name:1:s resourceClaimName:2:s?
core.v1.PodSchedulingGate name:1:s
core.v1.PodSchedulingGroup podGroupName:1:s?
core.v1.PodSecurityContext seLinuxOptions:1:core.v1.SELinuxOptions? windowsOptions:8:core.v1.WindowsSecurityContextOptions? runAsUser:2:i? runAsGroup:6:i? runAsNonRoot:3:b? supplementalGroups:4:*i supplementalGroupsPolicy:12:s? fsGroup:5:i? sysctls:7:*core.v1.Sysctl fsGroupChangePolicy:9:s? seccompProfile:10:core.v1.SeccompProfile? appArmorProfile:11:core.v1.AppArmorProfile? seLinuxChangePolicy:13:s?
core.v1.PodSignature podController:1:meta.v1.OwnerReference?
core.v1.PodSpec volumes:1:*core.v1.Volume initContainers:20:*core.v1.Container containers:2:*core.v1.Container ephemeralContainers:34:*core.v1.EphemeralContainer restartPolicy:3:s terminationGracePeriodSeconds:4:i? activeDeadlineSeconds:5:i? dnsPolicy:6:s nodeSelector:7:%s serviceAccountName:8:s serviceAccount:9:s automountServiceAccountToken:21:b? nodeName:10:s hostNetwork:11:b hostPID:12:b hostIPC:13:b shareProcessNamespace:27:b? securityContext:14:core.v1.PodSecurityContext? imagePullSecrets:15:*core.v1.LocalObjectReference hostname:16:s subdomain:17:s affinity:18:core.v1.Affinity? schedulerName:19:s tolerations:22:*core.v1.Toleration hostAliases:23:*core.v1.HostAlias priorityClassName:24:s priority:25:i? dnsConfig:26:core.v1.PodDNSConfig? readinessGates:28:*core.v1.PodReadinessGate runtimeClassName:29:s? enableServiceLinks:30:b? preemptionPolicy:31:s? overhead:32:%resource.Quantity topologySpreadConstraints:33:*core.v1.TopologySpreadConstraint setHostnameAsFQDN:35:b? os:36:core.v1.PodOS? hostUsers:37:b? schedulingGates:38:*core.v1.PodSchedulingGate resourceClaims:39:*core.v1.PodResourceClaim resources:40:core.v1.ResourceRequirements? hostnameOverride:41:s? schedulingGroup:43:core.v1.PodSchedulingGroup?
core.v1.PodStatus observedGeneration:17:i phase:1:s conditions:2:*core.v1.PodCondition message:3:s reason:4:s nominatedNodeName:11:s hostIP:5:s hostIPs:16:*core.v1.HostIP podIP:6:s podIPs:12:*core.v1.PodIP startTime:7:meta.v1.Time? initContainerStatuses:10:*core.v1.ContainerStatus containerStatuses:8:*core.v1.ContainerStatus qosClass:9:s ephemeralContainerStatuses:13:*core.v1.ContainerStatus resize:14:s resourceClaimStatuses:15:*core.v1.PodResourceClaimStatus extendedResourceClaimStatus:18:core.v1.PodExtendedResourceClaimStatus? allocatedResources:19:%resource.Quantity resources:20:core.v1.ResourceRequirements? nodeAllocatableResourceClaimStatuses:21:*core.v1.NodeAllocatableResourceClaimStatus
core.v1.PodStatusResult metadata:1:meta.v1.ObjectMeta status:2:core.v1.PodStatus
core.v1.PodTemplate metadata:1:meta.v1.ObjectMeta template:2:core.v1.PodTemplateSpec
core.v1.PodTemplateList metadata:1:meta.v1.ListMeta items:2:*core.v1.PodTemplate
core.v1.PodTemplateSpec metadata:1:meta.v1.ObjectMeta spec:2:core.v1.PodSpec
core.v1.PortStatus port:1:i protocol:2:s error:3:s?
core.v1.PortworxVolumeSource volumeID:1:s fsType:2:s readOnly:3:b
core.v1.Preconditions uid:1:s?
core.v1.PreferAvoidPodsEntry podSignature:1:core.v1.PodSignature evictionTime:2:meta.v1.Time reason:3:s message:4:s
core.v1.PreferredSchedulingTerm weight:1:i preference:2:core.v1.NodeSelectorTerm
core.v1.Probe handler:1:core.v1.ProbeHandler< initialDelaySeconds:2:i timeoutSeconds:3:i periodSeconds:4:i successThreshold:5:i failureThreshold:6:i terminationGracePeriodSeconds:7:i?
core.v1.ProbeHandler exec:1:core.v1.ExecAction? httpGet:2:core.v1.HTTPGetAction? tcpSocket:3:core.v1.TCPSocketAction? grpc:4:core.v1.GRPCAction?
core.v1.ProjectedVolumeSource sources:1:*core.v1.VolumeProjection defaultMode:2:i?
core.v1.QuobyteVolumeSource registry:1:s volume:2:s readOnly:3:b user:4:s group:5:s tenant:6:s
core.v1.RBDPersistentVolumeSource monitors:1:*s image:2:s fsType:3:s pool:4:s user:5:s keyring:6:s secretRef:7:core.v1.SecretReference? readOnly:8:b
core.v1.RBDVolumeSource monitors:1:*s image:2:s fsType:3:s pool:4:s user:5:s keyring:6:s secretRef:7:core.v1.LocalObjectReference? readOnly:8:b
core.v1.RangeAllocation metadata:1:meta.v1.ObjectMeta range:2:s data:3:y
core.v1.ReplicationController metadata:1:meta.v1.ObjectMeta spec:2:core.v1.ReplicationControllerSpec status:3:core.v1.ReplicationControllerStatus
core.v1.ReplicationControllerCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
core.v1.ReplicationControllerList metadata:1:meta.v1.ListMeta items:2:*core.v1.ReplicationController
core.v1.ReplicationControllerSpec replicas:1:i? minReadySeconds:4:i selector:2:%s template:3:core.v1.PodTemplateSpec?
core.v1.ReplicationControllerStatus replicas:1:i fullyLabeledReplicas:2:i readyReplicas:4:i availableReplicas:5:i observedGeneration:3:i conditions:6:*core.v1.ReplicationControllerCondition
core.v1.ResourceClaim name:1:s request:2:s
core.v1.ResourceFieldSelector containerName:1:s resource:2:s divisor:3:resource.Quantity
core.v1.ResourceHealth resourceID:1:s health:2:s message:6:s?
core.v1.ResourceQuota metadata:1:meta.v1.ObjectMeta spec:2:core.v1.ResourceQuotaSpec status:3:core.v1.ResourceQuotaStatus
core.v1.ResourceQuotaList metadata:1:meta.v1.ListMeta items:2:*core.v1.ResourceQuota
core.v1.ResourceQuotaSpec hard:1:%resource.Quantity scopes:2:*s scopeSelector:3:core.v1.ScopeSelector?
core.v1.ResourceQuotaStatus hard:1:%resource.Quantity used:2:%resource.Quantity
core.v1.ResourceRequirements limits:1:%resource.Quantity requests:2:%resource.Quantity claims:3:*core.v1.ResourceClaim
core.v1.ResourceStatus name:1:s resources:2:*core.v1.ResourceHealth
core.v1.SELinuxOptions user:1:s role:2:s type:3:s level:4:s
core.v1.ScaleIOPersistentVolumeSource gateway:1:s system:2:s secretRef:3:core.v1.SecretReference? sslEnabled:4:b protectionDomain:5:s storagePool:6:s storageMode:7:s volumeName:8:s fsType:9:s readOnly:10:b
core.v1.ScaleIOVolumeSource gateway:1:s system:2:s secretRef:3:core.v1.LocalObjectReference? sslEnabled:4:b protectionDomain:5:s storagePool:6:s storageMode:7:s volumeName:8:s fsType:9:s readOnly:10:b
core.v1.ScopeSelector matchExpressions:1:*core.v1.ScopedResourceSelectorRequirement
core.v1.ScopedResourceSelectorRequirement scopeName:1:s operator:2:s values:3:*s
core.v1.SeccompProfile type:1:s localhostProfile:2:s?
core.v1.Secret metadata:1:meta.v1.ObjectMeta immutable:5:b? data:2:%y stringData:4:%s type:3:s
core.v1.SecretEnvSource localObjectReference:1:core.v1.LocalObjectReference< optional:2:b?
core.v1.SecretKeySelector localObjectReference:1:core.v1.LocalObjectReference< key:2:s optional:3:b?
core.v1.SecretList metadata:1:meta.v1.ListMeta items:2:*core.v1.Secret
core.v1.SecretProjection localObjectReference:1:core.v1.LocalObjectReference< items:2:*core.v1.KeyToPath optional:4:b?
core.v1.SecretReference name:1:s namespace:2:s
core.v1.SecretVolumeSource secretName:1:s items:2:*core.v1.KeyToPath defaultMode:3:i? optional:4:b?
core.v1.SecurityContext capabilities:1:core.v1.Capabilities? privileged:2:b? seLinuxOptions:3:core.v1.SELinuxOptions? windowsOptions:10:core.v1.WindowsSecurityContextOptions? runAsUser:4:i? runAsGroup:8:i? runAsNonRoot:5:b? readOnlyRootFilesystem:6:b? allowPrivilegeEscalation:7:b? procMount:9:s? seccompProfile:11:core.v1.SeccompProfile? appArmorProfile:12:core.v1.AppArmorProfile?
core.v1.SerializedReference reference:1:core.v1.ObjectReference
core.v1.Service metadata:1:meta.v1.ObjectMeta spec:2:core.v1.ServiceSpec status:3:core.v1.ServiceStatus
core.v1.ServiceAccount metadata:1:meta.v1.ObjectMeta secrets:2:*core.v1.ObjectReference imagePullSecrets:3:*core.v1.LocalObjectReference automountServiceAccountToken:4:b?
core.v1.ServiceAccountList metadata:1:meta.v1.ListMeta items:2:*core.v1.ServiceAccount
core.v1.ServiceAccountTokenProjection audience:1:s expirationSeconds:2:i? path:3:s
core.v1.ServiceList metadata:1:meta.v1.ListMeta items:2:*core.v1.Service
core.v1.ServicePort name:1:s protocol:2:s appProtocol:6:s? port:3:i targetPort:4:intstr.IntOrString nodePort:5:i
core.v1.ServiceProxyOptions path:1:s
core.v1.ServiceSpec ports:1:*core.v1.ServicePort selector:2:%s clusterIP:3:s clusterIPs:18:*s type:4:s externalIPs:5:*s sessionAffinity:7:s loadBalancerIP:8:s loadBalancerSourceRanges:9:*s externalName:10:s externalTrafficPolicy:11:s healthCheckNodePort:12:i publishNotReadyAddresses:13:b sessionAffinityConfig:14:core.v1.SessionAffinityConfig? ipFamilies:19:*s ipFamilyPolicy:17:s? allocateLoadBalancerNodePorts:20:b? loadBalancerClass:21:s? internalTrafficPolicy:22:s? trafficDistribution:23:s?
core.v1.ServiceStatus loadBalancer:1:core.v1.LoadBalancerStatus conditions:2:*meta.v1.Condition
core.v1.SessionAffinityConfig clientIP:1:core.v1.ClientIPConfig?
core.v1.SleepAction seconds:1:i
core.v1.StorageOSPersistentVolumeSource volumeName:1:s volumeNamespace:2:s fsType:3:s readOnly:4:b secretRef:5:core.v1.ObjectReference?
core.v1.StorageOSVolumeSource volumeName:1:s volumeNamespace:2:s fsType:3:s readOnly:4:b secretRef:5:core.v1.LocalObjectReference?
core.v1.Sysctl name:1:s value:2:s
core.v1.TCPSocketAction port:1:intstr.IntOrString host:2:s
core.v1.Taint key:1:s value:2:s effect:3:s timeAdded:4:meta.v1.Time?
core.v1.Toleration key:1:s operator:2:s value:3:s effect:4:s tolerationSeconds:5:i?
core.v1.TopologySelectorLabelRequirement key:1:s values:2:*s
core.v1.TopologySelectorTerm matchLabelExpressions:1:*core.v1.TopologySelectorLabelRequirement
core.v1.TopologySpreadConstraint maxSkew:1:i topologyKey:2:s whenUnsatisfiable:3:s labelSelector:4:meta.v1.LabelSelector? minDomains:5:i? nodeAffinityPolicy:6:s? nodeTaintsPolicy:7:s? matchLabelKeys:8:*s
core.v1.TypedLocalObjectReference apiGroup:1:s? kind:2:s name:3:s
core.v1.TypedObjectReference apiGroup:1:s? kind:2:s name:3:s namespace:4:s?
core.v1.Volume name:1:s volumeSource:2:core.v1.VolumeSource<
core.v1.VolumeDevice name:1:s devicePath:2:s
core.v1.VolumeMount name:1:s readOnly:2:b recursiveReadOnly:7:s? mountPath:3:s subPath:4:s mountPropagation:5:s? subPathExpr:6:s
core.v1.VolumeMountStatus name:1:s mountPath:2:s readOnly:3:b recursiveReadOnly:4:s? volumeStatus:5:core.v1.VolumeStatus?
core.v1.VolumeNodeAffinity required:1:core.v1.NodeSelector?
core.v1.VolumeProjection secret:1:core.v1.SecretProjection? downwardAPI:2:core.v1.DownwardAPIProjection? configMap:3:core.v1.ConfigMapProjection? serviceAccountToken:4:core.v1.ServiceAccountTokenProjection? clusterTrustBundle:5:core.v1.ClusterTrustBundleProjection? podCertificate:6:core.v1.PodCertificateProjection?
core.v1.VolumeResourceRequirements limits:1:%resource.Quantity requests:2:%resource.Quantity
core.v1.VolumeSource hostPath:1:core.v1.HostPathVolumeSource? emptyDir:2:core.v1.EmptyDirVolumeSource? gcePersistentDisk:3:core.v1.GCEPersistentDiskVolumeSource? awsElasticBlockStore:4:core.v1.AWSElasticBlockStoreVolumeSource? gitRepo:5:core.v1.GitRepoVolumeSource? secret:6:core.v1.SecretVolumeSource? nfs:7:core.v1.NFSVolumeSource? iscsi:8:core.v1.ISCSIVolumeSource? glusterfs:9:core.v1.GlusterfsVolumeSource? persistentVolumeClaim:10:core.v1.PersistentVolumeClaimVolumeSource? rbd:11:core.v1.RBDVolumeSource? flexVolume:12:core.v1.FlexVolumeSource? cinder:13:core.v1.CinderVolumeSource? cephfs:14:core.v1.CephFSVolumeSource? flocker:15:core.v1.FlockerVolumeSource? downwardAPI:16:core.v1.DownwardAPIVolumeSource? fc:17:core.v1.FCVolumeSource? azureFile:18:core.v1.AzureFileVolumeSource? configMap:19:core.v1.ConfigMapVolumeSource? vsphereVolume:20:core.v1.VsphereVirtualDiskVolumeSource? quobyte:21:core.v1.QuobyteVolumeSource? azureDisk:22:core.v1.AzureDiskVolumeSource? photonPersistentDisk:23:core.v1.PhotonPersistentDiskVolumeSource? projected:26:core.v1.ProjectedVolumeSource? portworxVolume:24:core.v1.PortworxVolumeSource? scaleIO:25:core.v1.ScaleIOVolumeSource? storageos:27:core.v1.StorageOSVolumeSource? csi:28:core.v1.CSIVolumeSource? ephemeral:29:core.v1.EphemeralVolumeSource? image:30:core.v1.ImageVolumeSource?
core.v1.VolumeStatus image:1:core.v1.ImageVolumeStatus?
core.v1.VsphereVirtualDiskVolumeSource volumePath:1:s fsType:2:s storagePolicyName:3:s storagePolicyID:4:s
core.v1.WeightedPodAffinityTerm weight:1:i podAffinityTerm:2:core.v1.PodAffinityTerm
core.v1.WindowsSecurityContextOptions gmsaCredentialSpecName:1:s? gmsaCredentialSpec:2:s? runAsUserName:3:s? hostProcess:4:b?
discovery.v1.Endpoint addresses:1:*s conditions:2:discovery.v1.EndpointConditions hostname:3:s? targetRef:4:core.v1.ObjectReference? deprecatedTopology:5:%s nodeName:6:s? zone:7:s? hints:8:discovery.v1.EndpointHints?
discovery.v1.EndpointConditions ready:1:b? serving:2:b? terminating:3:b?
discovery.v1.EndpointHints forZones:1:*discovery.v1.ForZone forNodes:2:*discovery.v1.ForNode
discovery.v1.EndpointPort name:1:s? protocol:2:s? port:3:i? appProtocol:4:s?
discovery.v1.EndpointSlice metadata:1:meta.v1.ObjectMeta addressType:4:s endpoints:2:*discovery.v1.Endpoint ports:3:*discovery.v1.EndpointPort
discovery.v1.EndpointSliceList metadata:1:meta.v1.ListMeta items:2:*discovery.v1.EndpointSlice
discovery.v1.ForNode name:1:s
discovery.v1.ForZone name:1:s
discovery.v1beta1.Endpoint addresses:1:*s conditions:2:discovery.v1beta1.EndpointConditions hostname:3:s? targetRef:4:core.v1.ObjectReference? topology:5:%s nodeName:6:s? hints:7:discovery.v1beta1.EndpointHints?
discovery.v1beta1.EndpointConditions ready:1:b? serving:2:b? terminating:3:b?
discovery.v1beta1.EndpointHints forZones:1:*discovery.v1beta1.ForZone forNodes:2:*discovery.v1beta1.ForNode
discovery.v1beta1.EndpointPort name:1:s? protocol:2:s? port:3:i? appProtocol:4:s?
discovery.v1beta1.EndpointSlice metadata:1:meta.v1.ObjectMeta addressType:4:s endpoints:2:*discovery.v1beta1.Endpoint ports:3:*discovery.v1beta1.EndpointPort
discovery.v1beta1.EndpointSliceList metadata:1:meta.v1.ListMeta items:2:*discovery.v1beta1.EndpointSlice
discovery.v1beta1.ForNode name:1:s
discovery.v1beta1.ForZone name:1:s
events.v1.Event metadata:1:meta.v1.ObjectMeta eventTime:2:meta.v1.MicroTime series:3:events.v1.EventSeries? reportingController:4:s reportingInstance:5:s action:6:s reason:7:s regarding:8:core.v1.ObjectReference related:9:core.v1.ObjectReference? note:10:s type:11:s deprecatedSource:12:core.v1.EventSource deprecatedFirstTimestamp:13:meta.v1.Time deprecatedLastTimestamp:14:meta.v1.Time deprecatedCount:15:i
events.v1.EventList metadata:1:meta.v1.ListMeta items:2:*events.v1.Event
events.v1.EventSeries count:1:i lastObservedTime:2:meta.v1.MicroTime
events.v1beta1.Event metadata:1:meta.v1.ObjectMeta eventTime:2:meta.v1.MicroTime series:3:events.v1beta1.EventSeries? reportingController:4:s reportingInstance:5:s action:6:s reason:7:s regarding:8:core.v1.ObjectReference related:9:core.v1.ObjectReference? note:10:s type:11:s deprecatedSource:12:core.v1.EventSource deprecatedFirstTimestamp:13:meta.v1.Time deprecatedLastTimestamp:14:meta.v1.Time deprecatedCount:15:i
events.v1beta1.EventList metadata:1:meta.v1.ListMeta items:2:*events.v1beta1.Event
events.v1beta1.EventSeries count:1:i lastObservedTime:2:meta.v1.MicroTime
extensions.v1beta1.DaemonSet metadata:1:meta.v1.ObjectMeta spec:2:extensions.v1beta1.DaemonSetSpec status:3:extensions.v1beta1.DaemonSetStatus
extensions.v1beta1.DaemonSetCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
extensions.v1beta1.DaemonSetList metadata:1:meta.v1.ListMeta items:2:*extensions.v1beta1.DaemonSet
extensions.v1beta1.DaemonSetSpec selector:1:meta.v1.LabelSelector? template:2:core.v1.PodTemplateSpec updateStrategy:3:extensions.v1beta1.DaemonSetUpdateStrategy minReadySeconds:4:i templateGeneration:5:i revisionHistoryLimit:6:i?
extensions.v1beta1.DaemonSetStatus currentNumberScheduled:1:i numberMisscheduled:2:i desiredNumberScheduled:3:i numberReady:4:i observedGeneration:5:i updatedNumberScheduled:6:i numberAvailable:7:i numberUnavailable:8:i collisionCount:9:i? conditions:10:*extensions.v1beta1.DaemonSetCondition
extensions.v1beta1.DaemonSetUpdateStrategy type:1:s rollingUpdate:2:extensions.v1beta1.RollingUpdateDaemonSet?
extensions.v1beta1.Deployment metadata:1:meta.v1.ObjectMeta spec:2:extensions.v1beta1.DeploymentSpec status:3:extensions.v1beta1.DeploymentStatus
extensions.v1beta1.DeploymentCondition type:1:s status:2:s lastUpdateTime:6:meta.v1.Time lastTransitionTime:7:meta.v1.Time reason:4:s message:5:s
extensions.v1beta1.DeploymentList metadata:1:meta.v1.ListMeta items:2:*extensions.v1beta1.Deployment
extensions.v1beta1.DeploymentRollback name:1:s updatedAnnotations:2:%s rollbackTo:3:extensions.v1beta1.RollbackConfig
extensions.v1beta1.DeploymentSpec replicas:1:i? selector:2:meta.v1.LabelSelector? template:3:core.v1.PodTemplateSpec strategy:4:extensions.v1beta1.DeploymentStrategy minReadySeconds:5:i revisionHistoryLimit:6:i? paused:7:b rollbackTo:8:extensions.v1beta1.RollbackConfig? progressDeadlineSeconds:9:i?
extensions.v1beta1.DeploymentStatus observedGeneration:1:i replicas:2:i updatedReplicas:3:i readyReplicas:7:i availableReplicas:4:i unavailableReplicas:5:i terminatingReplicas:9:i? conditions:6:*extensions.v1beta1.DeploymentCondition collisionCount:8:i?
extensions.v1beta1.DeploymentStrategy type:1:s rollingUpdate:2:extensions.v1beta1.RollingUpdateDeployment?
extensions.v1beta1.HTTPIngressPath path:1:s pathType:3:s? backend:2:extensions.v1beta1.IngressBackend
extensions.v1beta1.HTTPIngressRuleValue paths:1:*extensions.v1beta1.HTTPIngressPath
extensions.v1beta1.IPBlock cidr:1:s except:2:*s
extensions.v1beta1.Ingress metadata:1:meta.v1.ObjectMeta spec:2:extensions.v1beta1.IngressSpec status:3:extensions.v1beta1.IngressStatus
extensions.v1beta1.IngressBackend serviceName:1:s servicePort:2:intstr.IntOrString resource:3:core.v1.TypedLocalObjectReference?
extensions.v1beta1.IngressList metadata:1:meta.v1.ListMeta items:2:*extensions.v1beta1.Ingress
extensions.v1beta1.IngressLoadBalancerIngress ip:1:s hostname:2:s ports:4:*extensions.v1beta1.IngressPortStatus
extensions.v1beta1.IngressLoadBalancerStatus ingress:1:*extensions.v1beta1.IngressLoadBalancerIngress
extensions.v1beta1.IngressPortStatus port:1:i protocol:2:s error:3:s?
extensions.v1beta1.IngressRule host:1:s ingressRuleValue:2:extensions.v1beta1.IngressRuleValue<
extensions.v1beta1.IngressRuleValue http:1:extensions.v1beta1.HTTPIngressRuleValue?
extensions.v1beta1.IngressSpec ingressClassName:4:s? backend:1:extensions.v1beta1.IngressBackend? tls:2:*extensions.v1beta1.IngressTLS rules:3:*extensions.v1beta1.IngressRule
extensions.v1beta1.IngressStatus loadBalancer:1:extensions.v1beta1.IngressLoadBalancerStatus
extensions.v1beta1.IngressTLS hosts:1:*s secretName:2:s
extensions.v1beta1.NetworkPolicy metadata:1:meta.v1.ObjectMeta spec:2:extensions.v1beta1.NetworkPolicySpec
extensions.v1beta1.NetworkPolicyEgressRule ports:1:*extensions.v1beta1.NetworkPolicyPort to:2:*extensions.v1beta1.NetworkPolicyPeer
extensions.v1beta1.NetworkPolicyIngressRule ports:1:*extensions.v1beta1.NetworkPolicyPort from:2:*extensions.v1beta1.NetworkPolicyPeer
extensions.v1beta1.NetworkPolicyList metadata:1:meta.v1.ListMeta items:2:*extensions.v1beta1.NetworkPolicy
extensions.v1beta1.NetworkPolicyPeer podSelector:1:meta.v1.LabelSelector? namespaceSelector:2:meta.v1.LabelSelector? ipBlock:3:extensions.v1beta1.IPBlock?
extensions.v1beta1.NetworkPolicyPort protocol:1:s? port:2:intstr.IntOrString? endPort:3:i?
extensions.v1beta1.NetworkPolicySpec podSelector:1:meta.v1.LabelSelector ingress:2:*extensions.v1beta1.NetworkPolicyIngressRule egress:3:*extensions.v1beta1.NetworkPolicyEgressRule policyTypes:4:*s
extensions.v1beta1.ReplicaSet metadata:1:meta.v1.ObjectMeta spec:2:extensions.v1beta1.ReplicaSetSpec status:3:extensions.v1beta1.ReplicaSetStatus
extensions.v1beta1.ReplicaSetCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
extensions.v1beta1.ReplicaSetList metadata:1:meta.v1.ListMeta items:2:*extensions.v1beta1.ReplicaSet
extensions.v1beta1.ReplicaSetSpec replicas:1:i? minReadySeconds:4:i selector:2:meta.v1.LabelSelector? template:3:core.v1.PodTemplateSpec
extensions.v1beta1.ReplicaSetStatus replicas:1:i fullyLabeledReplicas:2:i readyReplicas:4:i availableReplicas:5:i terminatingReplicas:7:i? observedGeneration:3:i conditions:6:*extensions.v1beta1.ReplicaSetCondition
extensions.v1beta1.RollbackConfig revision:1:i
extensions.v1beta1.RollingUpdateDaemonSet maxUnavailable:1:intstr.IntOrString? maxSurge:2:intstr.IntOrString?
extensions.v1beta1.RollingUpdateDeployment maxUnavailable:1:intstr.IntOrString? maxSurge:2:intstr.IntOrString?
extensions.v1beta1.Scale metadata:1:meta.v1.ObjectMeta spec:2:extensions.v1beta1.ScaleSpec status:3:extensions.v1beta1.ScaleStatus
extensions.v1beta1.ScaleSpec replicas:1:i
extensions.v1beta1.ScaleStatus replicas:1:i selector:2:%s targetSelector:3:s
flowcontrol.v1.ExemptPriorityLevelConfiguration nominalConcurrencyShares:1:i? lendablePercent:2:i?
flowcontrol.v1.FlowDistinguisherMethod type:1:s
flowcontrol.v1.FlowSchema metadata:1:meta.v1.ObjectMeta spec:2:flowcontrol.v1.FlowSchemaSpec status:3:flowcontrol.v1.FlowSchemaStatus
flowcontrol.v1.FlowSchemaCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
flowcontrol.v1.FlowSchemaList metadata:1:meta.v1.ListMeta items:2:*flowcontrol.v1.FlowSchema
flowcontrol.v1.FlowSchemaSpec priorityLevelConfiguration:1:flowcontrol.v1.PriorityLevelConfigurationReference matchingPrecedence:2:i distinguisherMethod:3:flowcontrol.v1.FlowDistinguisherMethod? rules:4:*flowcontrol.v1.PolicyRulesWithSubjects
flowcontrol.v1.FlowSchemaStatus conditions:1:*flowcontrol.v1.FlowSchemaCondition
flowcontrol.v1.GroupSubject name:1:s
flowcontrol.v1.LimitResponse type:1:s queuing:2:flowcontrol.v1.QueuingConfiguration?
flowcontrol.v1.LimitedPriorityLevelConfiguration nominalConcurrencyShares:1:i? limitResponse:2:flowcontrol.v1.LimitResponse lendablePercent:3:i? borrowingLimitPercent:4:i?
flowcontrol.v1.NonResourcePolicyRule verbs:1:*s nonResourceURLs:6:*s
flowcontrol.v1.PolicyRulesWithSubjects subjects:1:*flowcontrol.v1.Subject resourceRules:2:*flowcontrol.v1.ResourcePolicyRule nonResourceRules:3:*flowcontrol.v1.NonResourcePolicyRule
flowcontrol.v1.PriorityLevelConfiguration metadata:1:meta.v1.ObjectMeta spec:2:flowcontrol.v1.PriorityLevelConfigurationSpec status:3:flowcontrol.v1.PriorityLevelConfigurationStatus
flowcontrol.v1.PriorityLevelConfigurationCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
flowcontrol.v1.PriorityLevelConfigurationList metadata:1:meta.v1.ListMeta items:2:*flowcontrol.v1.PriorityLevelConfiguration
flowcontrol.v1.PriorityLevelConfigurationReference name:1:s
flowcontrol.v1.PriorityLevelConfigurationSpec type:1:s limited:2:flowcontrol.v1.LimitedPriorityLevelConfiguration? exempt:3:flowcontrol.v1.ExemptPriorityLevelConfiguration?
flowcontrol.v1.PriorityLevelConfigurationStatus conditions:1:*flowcontrol.v1.PriorityLevelConfigurationCondition
flowcontrol.v1.QueuingConfiguration queues:1:i handSize:2:i queueLengthLimit:3:i
flowcontrol.v1.ResourcePolicyRule verbs:1:*s apiGroups:2:*s resources:3:*s clusterScope:4:b namespaces:5:*s
flowcontrol.v1.ServiceAccountSubject namespace:1:s name:2:s
flowcontrol.v1.Subject kind:1:s user:2:flowcontrol.v1.UserSubject? group:3:flowcontrol.v1.GroupSubject? serviceAccount:4:flowcontrol.v1.ServiceAccountSubject?
flowcontrol.v1.UserSubject name:1:s
flowcontrol.v1beta1.ExemptPriorityLevelConfiguration nominalConcurrencyShares:1:i? lendablePercent:2:i?
flowcontrol.v1beta1.FlowDistinguisherMethod type:1:s
flowcontrol.v1beta1.FlowSchema metadata:1:meta.v1.ObjectMeta spec:2:flowcontrol.v1beta1.FlowSchemaSpec status:3:flowcontrol.v1beta1.FlowSchemaStatus
flowcontrol.v1beta1.FlowSchemaCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
flowcontrol.v1beta1.FlowSchemaList metadata:1:meta.v1.ListMeta items:2:*flowcontrol.v1beta1.FlowSchema
flowcontrol.v1beta1.FlowSchemaSpec priorityLevelConfiguration:1:flowcontrol.v1beta1.PriorityLevelConfigurationReference matchingPrecedence:2:i distinguisherMethod:3:flowcontrol.v1beta1.FlowDistinguisherMethod? rules:4:*flowcontrol.v1beta1.PolicyRulesWithSubjects
flowcontrol.v1beta1.FlowSchemaStatus conditions:1:*flowcontrol.v1beta1.FlowSchemaCondition
flowcontrol.v1beta1.GroupSubject name:1:s
flowcontrol.v1beta1.LimitResponse type:1:s queuing:2:flowcontrol.v1beta1.QueuingConfiguration?
flowcontrol.v1beta1.LimitedPriorityLevelConfiguration assuredConcurrencyShares:1:i limitResponse:2:flowcontrol.v1beta1.LimitResponse lendablePercent:3:i? borrowingLimitPercent:4:i?
flowcontrol.v1beta1.NonResourcePolicyRule verbs:1:*s nonResourceURLs:6:*s
flowcontrol.v1beta1.PolicyRulesWithSubjects subjects:1:*flowcontrol.v1beta1.Subject resourceRules:2:*flowcontrol.v1beta1.ResourcePolicyRule nonResourceRules:3:*flowcontrol.v1beta1.NonResourcePolicyRule
flowcontrol.v1beta1.PriorityLevelConfiguration metadata:1:meta.v1.ObjectMeta spec:2:flowcontrol.v1beta1.PriorityLevelConfigurationSpec status:3:flowcontrol.v1beta1.PriorityLevelConfigurationStatus
flowcontrol.v1beta1.PriorityLevelConfigurationCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
flowcontrol.v1beta1.PriorityLevelConfigurationList metadata:1:meta.v1.ListMeta items:2:*flowcontrol.v1beta1.PriorityLevelConfiguration
flowcontrol.v1beta1.PriorityLevelConfigurationReference name:1:s
flowcontrol.v1beta1.PriorityLevelConfigurationSpec type:1:s limited:2:flowcontrol.v1beta1.LimitedPriorityLevelConfiguration? exempt:3:flowcontrol.v1beta1.ExemptPriorityLevelConfiguration?
flowcontrol.v1beta1.PriorityLevelConfigurationStatus conditions:1:*flowcontrol.v1beta1.PriorityLevelConfigurationCondition
flowcontrol.v1beta1.QueuingConfiguration queues:1:i handSize:2:i queueLengthLimit:3:i
flowcontrol.v1beta1.ResourcePolicyRule verbs:1:*s apiGroups:2:*s resources:3:*s clusterScope:4:b namespaces:5:*s
flowcontrol.v1beta1.ServiceAccountSubject namespace:1:s name:2:s
flowcontrol.v1beta1.Subject kind:1:s user:2:flowcontrol.v1beta1.UserSubject? group:3:flowcontrol.v1beta1.GroupSubject? serviceAccount:4:flowcontrol.v1beta1.ServiceAccountSubject?
flowcontrol.v1beta1.UserSubject name:1:s
flowcontrol.v1beta2.ExemptPriorityLevelConfiguration nominalConcurrencyShares:1:i? lendablePercent:2:i?
flowcontrol.v1beta2.FlowDistinguisherMethod type:1:s
flowcontrol.v1beta2.FlowSchema metadata:1:meta.v1.ObjectMeta spec:2:flowcontrol.v1beta2.FlowSchemaSpec status:3:flowcontrol.v1beta2.FlowSchemaStatus
flowcontrol.v1beta2.FlowSchemaCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
flowcontrol.v1beta2.FlowSchemaList metadata:1:meta.v1.ListMeta items:2:*flowcontrol.v1beta2.FlowSchema
flowcontrol.v1beta2.FlowSchemaSpec priorityLevelConfiguration:1:flowcontrol.v1beta2.PriorityLevelConfigurationReference matchingPrecedence:2:i distinguisherMethod:3:flowcontrol.v1beta2.FlowDistinguisherMethod? rules:4:*flowcontrol.v1beta2.PolicyRulesWithSubjects
flowcontrol.v1beta2.FlowSchemaStatus conditions:1:*flowcontrol.v1beta2.FlowSchemaCondition
flowcontrol.v1beta2.GroupSubject name:1:s
flowcontrol.v1beta2.LimitResponse type:1:s queuing:2:flowcontrol.v1beta2.QueuingConfiguration?
flowcontrol.v1beta2.LimitedPriorityLevelConfiguration assuredConcurrencyShares:1:i limitResponse:2:flowcontrol.v1beta2.LimitResponse lendablePercent:3:i? borrowingLimitPercent:4:i?
flowcontrol.v1beta2.NonResourcePolicyRule verbs:1:*s nonResourceURLs:6:*s
flowcontrol.v1beta2.PolicyRulesWithSubjects subjects:1:*flowcontrol.v1beta2.Subject resourceRules:2:*flowcontrol.v1beta2.ResourcePolicyRule nonResourceRules:3:*flowcontrol.v1beta2.NonResourcePolicyRule
flowcontrol.v1beta2.PriorityLevelConfiguration metadata:1:meta.v1.ObjectMeta spec:2:flowcontrol.v1beta2.PriorityLevelConfigurationSpec status:3:flowcontrol.v1beta2.PriorityLevelConfigurationStatus
flowcontrol.v1beta2.PriorityLevelConfigurationCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
flowcontrol.v1beta2.PriorityLevelConfigurationList metadata:1:meta.v1.ListMeta items:2:*flowcontrol.v1beta2.PriorityLevelConfiguration
flowcontrol.v1beta2.PriorityLevelConfigurationReference name:1:s
flowcontrol.v1beta2.PriorityLevelConfigurationSpec type:1:s limited:2:flowcontrol.v1beta2.LimitedPriorityLevelConfiguration? exempt:3:flowcontrol.v1beta2.ExemptPriorityLevelConfiguration?
flowcontrol.v1beta2.PriorityLevelConfigurationStatus conditions:1:*flowcontrol.v1beta2.PriorityLevelConfigurationCondition
flowcontrol.v1beta2.QueuingConfiguration queues:1:i handSize:2:i queueLengthLimit:3:i
flowcontrol.v1beta2.ResourcePolicyRule verbs:1:*s apiGroups:2:*s resources:3:*s clusterScope:4:b namespaces:5:*s
flowcontrol.v1beta2.ServiceAccountSubject namespace:1:s name:2:s
flowcontrol.v1beta2.Subject kind:1:s user:2:flowcontrol.v1beta2.UserSubject? group:3:flowcontrol.v1beta2.GroupSubject? serviceAccount:4:flowcontrol.v1beta2.ServiceAccountSubject?
flowcontrol.v1beta2.UserSubject name:1:s
flowcontrol.v1beta3.ExemptPriorityLevelConfiguration nominalConcurrencyShares:1:i? lendablePercent:2:i?
flowcontrol.v1beta3.FlowDistinguisherMethod type:1:s
flowcontrol.v1beta3.FlowSchema metadata:1:meta.v1.ObjectMeta spec:2:flowcontrol.v1beta3.FlowSchemaSpec status:3:flowcontrol.v1beta3.FlowSchemaStatus
flowcontrol.v1beta3.FlowSchemaCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
flowcontrol.v1beta3.FlowSchemaList metadata:1:meta.v1.ListMeta items:2:*flowcontrol.v1beta3.FlowSchema
flowcontrol.v1beta3.FlowSchemaSpec priorityLevelConfiguration:1:flowcontrol.v1beta3.PriorityLevelConfigurationReference matchingPrecedence:2:i distinguisherMethod:3:flowcontrol.v1beta3.FlowDistinguisherMethod? rules:4:*flowcontrol.v1beta3.PolicyRulesWithSubjects
flowcontrol.v1beta3.FlowSchemaStatus conditions:1:*flowcontrol.v1beta3.FlowSchemaCondition
flowcontrol.v1beta3.GroupSubject name:1:s
flowcontrol.v1beta3.LimitResponse type:1:s queuing:2:flowcontrol.v1beta3.QueuingConfiguration?
flowcontrol.v1beta3.LimitedPriorityLevelConfiguration nominalConcurrencyShares:1:i limitResponse:2:flowcontrol.v1beta3.LimitResponse lendablePercent:3:i? borrowingLimitPercent:4:i?
flowcontrol.v1beta3.NonResourcePolicyRule verbs:1:*s nonResourceURLs:6:*s
flowcontrol.v1beta3.PolicyRulesWithSubjects subjects:1:*flowcontrol.v1beta3.Subject resourceRules:2:*flowcontrol.v1beta3.ResourcePolicyRule nonResourceRules:3:*flowcontrol.v1beta3.NonResourcePolicyRule
flowcontrol.v1beta3.PriorityLevelConfiguration metadata:1:meta.v1.ObjectMeta spec:2:flowcontrol.v1beta3.PriorityLevelConfigurationSpec status:3:flowcontrol.v1beta3.PriorityLevelConfigurationStatus
flowcontrol.v1beta3.PriorityLevelConfigurationCondition type:1:s status:2:s lastTransitionTime:3:meta.v1.Time reason:4:s message:5:s
flowcontrol.v1beta3.PriorityLevelConfigurationList metadata:1:meta.v1.ListMeta items:2:*flowcontrol.v1beta3.PriorityLevelConfiguration
flowcontrol.v1beta3.PriorityLevelConfigurationReference name:1:s
flowcontrol.v1beta3.PriorityLevelConfigurationSpec type:1:s limited:2:flowcontrol.v1beta3.LimitedPriorityLevelConfiguration? exempt:3:flowcontrol.v1beta3.ExemptPriorityLevelConfiguration?
flowcontrol.v1beta3.PriorityLevelConfigurationStatus conditions:1:*flowcontrol.v1beta3.PriorityLevelConfigurationCondition
flowcontrol.v1beta3.QueuingConfiguration queues:1:i handSize:2:i queueLengthLimit:3:i
flowcontrol.v1beta3.ResourcePolicyRule verbs:1:*s apiGroups:2:*s resources:3:*s clusterScope:4:b namespaces:5:*s
flowcontrol.v1beta3.ServiceAccountSubject namespace:1:s name:2:s
flowcontrol.v1beta3.Subject kind:1:s user:2:flowcontrol.v1beta3.UserSubject? group:3:flowcontrol.v1beta3.GroupSubject? serviceAccount:4:flowcontrol.v1beta3.ServiceAccountSubject?
flowcontrol.v1beta3.UserSubject name:1:s
imagepolicy.v1alpha1.ImageReview metadata:1:meta.v1.ObjectMeta spec:2:imagepolicy.v1alpha1.ImageReviewSpec status:3:imagepolicy.v1alpha1.ImageReviewStatus
imagepolicy.v1alpha1.ImageReviewContainerSpec image:1:s
imagepolicy.v1alpha1.ImageReviewSpec containers:1:*imagepolicy.v1alpha1.ImageReviewContainerSpec annotations:2:%s namespace:3:s
imagepolicy.v1alpha1.ImageReviewStatus allowed:1:b reason:2:s auditAnnotations:3:%s
intstr.IntOrString type:1:i intVal:2:i strVal:3:s
meta.v1.APIGroup name:1:s versions:2:*meta.v1.GroupVersionForDiscovery preferredVersion:3:meta.v1.GroupVersionForDiscovery serverAddressByClientCIDRs:4:*meta.v1.ServerAddressByClientCIDR
meta.v1.APIGroupList groups:1:*meta.v1.APIGroup
meta.v1.APIResource name:1:s singularName:6:s namespaced:2:b group:8:s version:9:s kind:3:s verbs:4:meta.v1.Verbs shortNames:5:*s categories:7:*s storageVersionHash:10:s
meta.v1.APIResourceList groupVersion:1:s resources:2:*meta.v1.APIResource
meta.v1.APIVersions versions:1:*s serverAddressByClientCIDRs:2:*meta.v1.ServerAddressByClientCIDR
meta.v1.ApplyOptions dryRun:1:*s force:2:b fieldManager:3:s
meta.v1.Condition type:1:s status:2:s observedGeneration:3:i lastTransitionTime:4:meta.v1.Time reason:5:s message:6:s
meta.v1.CreateOptions dryRun:1:*s fieldManager:3:s fieldValidation:4:s
meta.v1.DeleteOptions gracePeriodSeconds:1:i? preconditions:2:meta.v1.Preconditions? orphanDependents:3:b? propagationPolicy:4:s? dryRun:5:*s ignoreStoreReadErrorWithClusterBreakingPotential:6:b?
meta.v1.Duration duration:1:i
meta.v1.FieldSelectorRequirement key:1:s operator:2:s values:3:*s
meta.v1.FieldsV1 -:1:y
meta.v1.GetOptions resourceVersion:1:s
meta.v1.GroupKind group:1:s kind:2:s
meta.v1.GroupResource group:1:s resource:2:s
meta.v1.GroupVersion group:1:s version:2:s
meta.v1.GroupVersionForDiscovery groupVersion:1:s version:2:s
meta.v1.GroupVersionKind group:1:s version:2:s kind:3:s
meta.v1.GroupVersionResource group:1:s version:2:s resource:3:s
meta.v1.LabelSelector matchLabels:1:%s matchExpressions:2:*meta.v1.LabelSelectorRequirement
meta.v1.LabelSelectorRequirement key:1:s operator:2:s values:3:*s
meta.v1.List metadata:1:meta.v1.ListMeta items:2:*runtime.RawExtension
meta.v1.ListMeta selfLink:1:s resourceVersion:2:s continue:3:s remainingItemCount:4:i? shardInfo:5:meta.v1.ShardInfo?
meta.v1.ListOptions labelSelector:1:s fieldSelector:2:s watch:3:b allowWatchBookmarks:9:b resourceVersion:4:s resourceVersionMatch:10:s timeoutSeconds:5:i? limit:7:i continue:8:s sendInitialEvents:11:b? shardSelector:15:s
meta.v1.ManagedFieldsEntry manager:1:s operation:2:s apiVersion:3:s time:4:meta.v1.Time? fieldsType:6:s fieldsV1:7:meta.v1.FieldsV1? subresource:8:s
meta.v1.MicroTime seconds:1:i nanos:2:i
meta.v1.ObjectMeta name:1:s generateName:2:s namespace:3:s selfLink:4:s uid:5:s resourceVersion:6:s generation:7:i creationTimestamp:8:meta.v1.Time deletionTimestamp:9:meta.v1.Time? deletionGracePeriodSeconds:10:i? labels:11:%s annotations:12:%s ownerReferences:13:*meta.v1.OwnerReference finalizers:14:*s managedFields:17:*meta.v1.ManagedFieldsEntry
meta.v1.OwnerReference apiVersion:5:s kind:1:s name:3:s uid:4:s controller:6:b? blockOwnerDeletion:7:b?
meta.v1.PartialObjectMetadata metadata:1:meta.v1.ObjectMeta
meta.v1.PartialObjectMetadataList metadata:1:meta.v1.ListMeta items:2:*meta.v1.PartialObjectMetadata
meta.v1.Patch
meta.v1.PatchOptions dryRun:1:*s force:2:b? fieldManager:3:s fieldValidation:4:s
meta.v1.Preconditions uid:1:s? resourceVersion:2:s?
meta.v1.RootPaths paths:1:*s
meta.v1.ServerAddressByClientCIDR clientCIDR:1:s serverAddress:2:s
meta.v1.ShardInfo selector:1:s
meta.v1.Status metadata:1:meta.v1.ListMeta status:2:s message:3:s reason:4:s details:5:meta.v1.StatusDetails? code:6:i
meta.v1.StatusCause reason:1:s message:2:s field:3:s
meta.v1.StatusDetails name:1:s group:2:s kind:3:s uid:6:s causes:4:*meta.v1.StatusCause retryAfterSeconds:5:i
meta.v1.TableOptions includeObject:1:s
meta.v1.Time seconds:1:i nanos:2:i
meta.v1.Timestamp seconds:1:i nanos:2:i
meta.v1.TypeMeta kind:1:s apiVersion:2:s
meta.v1.UpdateOptions dryRun:1:*s fieldManager:2:s fieldValidation:3:s
meta.v1.Verbs items:1:*s
meta.v1.WatchEvent type:1:s object:2:runtime.RawExtension
meta.v1beta1.PartialObjectMetadataList metadata:2:meta.v1.ListMeta items:1:*meta.v1.PartialObjectMetadata
networking.v1.HTTPIngressPath path:1:s pathType:3:s? backend:2:networking.v1.IngressBackend
networking.v1.HTTPIngressRuleValue paths:1:*networking.v1.HTTPIngressPath
networking.v1.IPAddress metadata:1:meta.v1.ObjectMeta spec:2:networking.v1.IPAddressSpec
networking.v1.IPAddressList metadata:1:meta.v1.ListMeta items:2:*networking.v1.IPAddress
networking.v1.IPAddressSpec parentRef:1:networking.v1.ParentReference?
networking.v1.IPBlock cidr:1:s except:2:*s
networking.v1.Ingress metadata:1:meta.v1.ObjectMeta spec:2:networking.v1.IngressSpec status:3:networking.v1.IngressStatus
networking.v1.IngressBackend service:4:networking.v1.IngressServiceBackend? resource:3:core.v1.TypedLocalObjectReference?
networking.v1.IngressClass metadata:1:meta.v1.ObjectMeta spec:2:networking.v1.IngressClassSpec
networking.v1.IngressClassList metadata:1:meta.v1.ListMeta items:2:*networking.v1.IngressClass
networking.v1.IngressClassParametersReference apiGroup:1:s? kind:2:s name:3:s scope:4:s? namespace:5:s?
networking.v1.IngressClassSpec controller:1:s parameters:2:networking.v1.IngressClassParametersReference?
networking.v1.IngressList metadata:1:meta.v1.ListMeta items:2:*networking.v1.Ingress
networking.v1.IngressLoadBalancerIngress ip:1:s hostname:2:s ports:4:*networking.v1.IngressPortStatus
networking.v1.IngressLoadBalancerStatus ingress:1:*networking.v1.IngressLoadBalancerIngress
networking.v1.IngressPortStatus port:1:i protocol:2:s error:3:s?
networking.v1.IngressRule host:1:s ingressRuleValue:2:networking.v1.IngressRuleValue<
networking.v1.IngressRuleValue http:1:networking.v1.HTTPIngressRuleValue?
networking.v1.IngressServiceBackend name:1:s port:2:networking.v1.ServiceBackendPort
networking.v1.IngressSpec ingressClassName:4:s? defaultBackend:1:networking.v1.IngressBackend? tls:2:*networking.v1.IngressTLS rules:3:*networking.v1.IngressRule
networking.v1.IngressStatus loadBalancer:1:networking.v1.IngressLoadBalancerStatus
networking.v1.IngressTLS hosts:1:*s secretName:2:s
networking.v1.NetworkPolicy metadata:1:meta.v1.ObjectMeta spec:2:networking.v1.NetworkPolicySpec
networking.v1.NetworkPolicyEgressRule ports:1:*networking.v1.NetworkPolicyPort to:2:*networking.v1.NetworkPolicyPeer
networking.v1.NetworkPolicyIngressRule ports:1:*networking.v1.NetworkPolicyPort from:2:*networking.v1.NetworkPolicyPeer
networking.v1.NetworkPolicyList metadata:1:meta.v1.ListMeta items:2:*networking.v1.NetworkPolicy
networking.v1.NetworkPolicyPeer podSelector:1:meta.v1.LabelSelector? namespaceSelector:2:meta.v1.LabelSelector? ipBlock:3:networking.v1.IPBlock?
networking.v1.NetworkPolicyPort protocol:1:s? port:2:intstr.IntOrString? endPort:3:i?
networking.v1.NetworkPolicySpec podSelector:1:meta.v1.LabelSelector ingress:2:*networking.v1.NetworkPolicyIngressRule egress:3:*networking.v1.NetworkPolicyEgressRule policyTypes:4:*s
networking.v1.ParentReference group:1:s resource:2:s namespace:3:s name:4:s
networking.v1.ServiceBackendPort name:1:s number:2:i
networking.v1.ServiceCIDR metadata:1:meta.v1.ObjectMeta spec:2:networking.v1.ServiceCIDRSpec status:3:networking.v1.ServiceCIDRStatus
networking.v1.ServiceCIDRList metadata:1:meta.v1.ListMeta items:2:*networking.v1.ServiceCIDR
networking.v1.ServiceCIDRSpec cidrs:1:*s
networking.v1.ServiceCIDRStatus conditions:1:*meta.v1.Condition
networking.v1beta1.HTTPIngressPath path:1:s pathType:3:s? backend:2:networking.v1beta1.IngressBackend
networking.v1beta1.HTTPIngressRuleValue paths:1:*networking.v1beta1.HTTPIngressPath
networking.v1beta1.IPAddress metadata:1:meta.v1.ObjectMeta spec:2:networking.v1beta1.IPAddressSpec
networking.v1beta1.IPAddressList metadata:1:meta.v1.ListMeta items:2:*networking.v1beta1.IPAddress
networking.v1beta1.IPAddressSpec parentRef:1:networking.v1beta1.ParentReference?
networking.v1beta1.Ingress metadata:1:meta.v1.ObjectMeta spec:2:networking.v1beta1.IngressSpec status:3:networking.v1beta1.IngressStatus
networking.v1beta1.IngressBackend serviceName:1:s servicePort:2:intstr.IntOrString resource:3:core.v1.TypedLocalObjectReference?
networking.v1beta1.IngressClass metadata:1:meta.v1.ObjectMeta spec:2:networking.v1beta1.IngressClassSpec
networking.v1beta1.IngressClassList metadata:1:meta.v1.ListMeta items:2:*networking.v1beta1.IngressClass
networking.v1beta1.IngressClassParametersReference apiGroup:1:s? kind:2:s name:3:s scope:4:s? namespace:5:s?
networking.v1beta1.IngressClassSpec controller:1:s parameters:2:networking.v1beta1.IngressClassParametersReference?
networking.v1beta1.IngressList metadata:1:meta.v1.ListMeta items:2:*networking.v1beta1.Ingress
networking.v1beta1.IngressLoadBalancerIngress ip:1:s hostname:2:s ports:4:*networking.v1beta1.IngressPortStatus
networking.v1beta1.IngressLoadBalancerStatus ingress:1:*networking.v1beta1.IngressLoadBalancerIngress
networking.v1beta1.IngressPortStatus port:1:i protocol:2:s error:3:s?
networking.v1beta1.IngressRule host:1:s ingressRuleValue:2:networking.v1beta1.IngressRuleValue<
networking.v1beta1.IngressRuleValue http:1:networking.v1beta1.HTTPIngressRuleValue?
networking.v1beta1.IngressSpec ingressClassName:4:s? backend:1:networking.v1beta1.IngressBackend? tls:2:*networking.v1beta1.IngressTLS rules:3:*networking.v1beta1.IngressRule
networking.v1beta1.IngressStatus loadBalancer:1:networking.v1beta1.IngressLoadBalancerStatus
networking.v1beta1.IngressTLS hosts:1:*s secretName:2:s
networking.v1beta1.ParentReference group:1:s resource:2:s namespace:3:s name:4:s
networking.v1beta1.ServiceCIDR metadata:1:meta.v1.ObjectMeta spec:2:networking.v1beta1.ServiceCIDRSpec status:3:networking.v1beta1.ServiceCIDRStatus
networking.v1beta1.ServiceCIDRList metadata:1:meta.v1.ListMeta items:2:*networking.v1beta1.ServiceCIDR
networking.v1beta1.ServiceCIDRSpec cidrs:1:*s
networking.v1beta1.ServiceCIDRStatus conditions:1:*meta.v1.Condition
node.v1.Overhead podFixed:1:%resource.Quantity
node.v1.RuntimeClass metadata:1:meta.v1.ObjectMeta handler:2:s overhead:3:node.v1.Overhead? scheduling:4:node.v1.Scheduling?
node.v1.RuntimeClassList metadata:1:meta.v1.ListMeta items:2:*node.v1.RuntimeClass
node.v1.Scheduling nodeSelector:1:%s tolerations:2:*core.v1.Toleration
node.v1alpha1.Overhead podFixed:1:%resource.Quantity
node.v1alpha1.RuntimeClass metadata:1:meta.v1.ObjectMeta spec:2:node.v1alpha1.RuntimeClassSpec
node.v1alpha1.RuntimeClassList metadata:1:meta.v1.ListMeta items:2:*node.v1alpha1.RuntimeClass
node.v1alpha1.RuntimeClassSpec runtimeHandler:1:s overhead:2:node.v1alpha1.Overhead? scheduling:3:node.v1alpha1.Scheduling?
node.v1alpha1.Scheduling nodeSelector:1:%s tolerations:2:*core.v1.Toleration
node.v1beta1.Overhead podFixed:1:%resource.Quantity
node.v1beta1.RuntimeClass metadata:1:meta.v1.ObjectMeta handler:2:s overhead:3:node.v1beta1.Overhead? scheduling:4:node.v1beta1.Scheduling?
node.v1beta1.RuntimeClassList metadata:1:meta.v1.ListMeta items:2:*node.v1beta1.RuntimeClass
node.v1beta1.Scheduling nodeSelector:1:%s tolerations:2:*core.v1.Toleration
policy.v1.Eviction metadata:1:meta.v1.ObjectMeta deleteOptions:2:meta.v1.DeleteOptions?
policy.v1.PodDisruptionBudget metadata:1:meta.v1.ObjectMeta spec:2:policy.v1.PodDisruptionBudgetSpec status:3:policy.v1.PodDisruptionBudgetStatus
policy.v1.PodDisruptionBudgetList metadata:1:meta.v1.ListMeta items:2:*policy.v1.PodDisruptionBudget
policy.v1.PodDisruptionBudgetSpec minAvailable:1:intstr.IntOrString? selector:2:meta.v1.LabelSelector maxUnavailable:3:intstr.IntOrString? unhealthyPodEvictionPolicy:4:s?
policy.v1.PodDisruptionBudgetStatus observedGeneration:1:i disruptedPods:2:%meta.v1.Time disruptionsAllowed:3:i currentHealthy:4:i desiredHealthy:5:i expectedPods:6:i conditions:7:*meta.v1.Condition
policy.v1beta1.Eviction metadata:1:meta.v1.ObjectMeta deleteOptions:2:meta.v1.DeleteOptions?
policy.v1beta1.PodDisruptionBudget metadata:1:meta.v1.ObjectMeta spec:2:policy.v1beta1.PodDisruptionBudgetSpec status:3:policy.v1beta1.PodDisruptionBudgetStatus
policy.v1beta1.PodDisruptionBudgetList metadata:1:meta.v1.ListMeta items:2:*policy.v1beta1.PodDisruptionBudget
policy.v1beta1.PodDisruptionBudgetSpec minAvailable:1:intstr.IntOrString? selector:2:meta.v1.LabelSelector? maxUnavailable:3:intstr.IntOrString? unhealthyPodEvictionPolicy:4:s?
policy.v1beta1.PodDisruptionBudgetStatus observedGeneration:1:i disruptedPods:2:%meta.v1.Time disruptionsAllowed:3:i currentHealthy:4:i desiredHealthy:5:i expectedPods:6:i conditions:7:*meta.v1.Condition
rbac.v1.AggregationRule clusterRoleSelectors:1:*meta.v1.LabelSelector
rbac.v1.ClusterRole metadata:1:meta.v1.ObjectMeta rules:2:*rbac.v1.PolicyRule aggregationRule:3:rbac.v1.AggregationRule?
rbac.v1.ClusterRoleBinding metadata:1:meta.v1.ObjectMeta subjects:2:*rbac.v1.Subject roleRef:3:rbac.v1.RoleRef
rbac.v1.ClusterRoleBindingList metadata:1:meta.v1.ListMeta items:2:*rbac.v1.ClusterRoleBinding
rbac.v1.ClusterRoleList metadata:1:meta.v1.ListMeta items:2:*rbac.v1.ClusterRole
rbac.v1.PolicyRule verbs:1:*s apiGroups:2:*s resources:3:*s resourceNames:4:*s nonResourceURLs:5:*s
rbac.v1.Role metadata:1:meta.v1.ObjectMeta rules:2:*rbac.v1.PolicyRule
rbac.v1.RoleBinding metadata:1:meta.v1.ObjectMeta subjects:2:*rbac.v1.Subject roleRef:3:rbac.v1.RoleRef
rbac.v1.RoleBindingList metadata:1:meta.v1.ListMeta items:2:*rbac.v1.RoleBinding
rbac.v1.RoleList metadata:1:meta.v1.ListMeta items:2:*rbac.v1.Role
rbac.v1.RoleRef apiGroup:1:s kind:2:s name:3:s
rbac.v1.Subject kind:1:s apiGroup:2:s name:3:s namespace:4:s
rbac.v1alpha1.AggregationRule clusterRoleSelectors:1:*meta.v1.LabelSelector
rbac.v1alpha1.ClusterRole metadata:1:meta.v1.ObjectMeta rules:2:*rbac.v1alpha1.PolicyRule aggregationRule:3:rbac.v1alpha1.AggregationRule?
rbac.v1alpha1.ClusterRoleBinding metadata:1:meta.v1.ObjectMeta subjects:2:*rbac.v1alpha1.Subject roleRef:3:rbac.v1alpha1.RoleRef
rbac.v1alpha1.ClusterRoleBindingList metadata:1:meta.v1.ListMeta items:2:*rbac.v1alpha1.ClusterRoleBinding
rbac.v1alpha1.ClusterRoleList metadata:1:meta.v1.ListMeta items:2:*rbac.v1alpha1.ClusterRole
rbac.v1alpha1.PolicyRule verbs:1:*s apiGroups:3:*s resources:4:*s resourceNames:5:*s nonResourceURLs:6:*s
rbac.v1alpha1.Role metadata:1:meta.v1.ObjectMeta rules:2:*rbac.v1alpha1.PolicyRule
rbac.v1alpha1.RoleBinding metadata:1:meta.v1.ObjectMeta subjects:2:*rbac.v1alpha1.Subject roleRef:3:rbac.v1alpha1.RoleRef
rbac.v1alpha1.RoleBindingList metadata:1:meta.v1.ListMeta items:2:*rbac.v1alpha1.RoleBinding
rbac.v1alpha1.RoleList metadata:1:meta.v1.ListMeta items:2:*rbac.v1alpha1.Role
rbac.v1alpha1.RoleRef apiGroup:1:s kind:2:s name:3:s
rbac.v1alpha1.Subject kind:1:s apiVersion:2:s name:3:s namespace:4:s
rbac.v1beta1.AggregationRule clusterRoleSelectors:1:*meta.v1.LabelSelector
rbac.v1beta1.ClusterRole metadata:1:meta.v1.ObjectMeta rules:2:*rbac.v1beta1.PolicyRule aggregationRule:3:rbac.v1beta1.AggregationRule?
rbac.v1beta1.ClusterRoleBinding metadata:1:meta.v1.ObjectMeta subjects:2:*rbac.v1beta1.Subject roleRef:3:rbac.v1beta1.RoleRef
rbac.v1beta1.ClusterRoleBindingList metadata:1:meta.v1.ListMeta items:2:*rbac.v1beta1.ClusterRoleBinding
rbac.v1beta1.ClusterRoleList metadata:1:meta.v1.ListMeta items:2:*rbac.v1beta1.ClusterRole
rbac.v1beta1.PolicyRule verbs:1:*s apiGroups:2:*s resources:3:*s resourceNames:4:*s nonResourceURLs:5:*s
rbac.v1beta1.Role metadata:1:meta.v1.ObjectMeta rules:2:*rbac.v1beta1.PolicyRule
rbac.v1beta1.RoleBinding metadata:1:meta.v1.ObjectMeta subjects:2:*rbac.v1beta1.Subject roleRef:3:rbac.v1beta1.RoleRef
rbac.v1beta1.RoleBindingList metadata:1:meta.v1.ListMeta items:2:*rbac.v1beta1.RoleBinding
rbac.v1beta1.RoleList metadata:1:meta.v1.ListMeta items:2:*rbac.v1beta1.Role
rbac.v1beta1.RoleRef apiGroup:1:s kind:2:s name:3:s
rbac.v1beta1.Subject kind:1:s apiGroup:2:s name:3:s namespace:4:s
resource.Quantity string:1:s
resource.QuantityValue string:1:s
resource.v1.AllocatedDeviceStatus driver:1:s pool:2:s device:3:s shareID:7:s? conditions:4:*meta.v1.Condition data:5:runtime.RawExtension? networkData:6:resource.v1.NetworkDeviceData?
resource.v1.AllocationResult devices:1:resource.v1.DeviceAllocationResult nodeSelector:3:core.v1.NodeSelector? allocationTimestamp:5:meta.v1.Time?
resource.v1.CELDeviceSelector expression:1:s
resource.v1.CapacityRequestPolicy default:1:resource.Quantity? validValues:3:*resource.Quantity validRange:4:resource.v1.CapacityRequestPolicyRange?
resource.v1.CapacityRequestPolicyRange min:1:resource.Quantity? max:2:resource.Quantity? step:3:resource.Quantity?
resource.v1.CapacityRequirements requests:1:%resource.Quantity
resource.v1.Counter value:1:resource.Quantity
resource.v1.CounterSet name:1:s counters:2:%resource.v1.Counter
resource.v1.Device name:1:s attributes:2:%resource.v1.DeviceAttribute capacity:3:%resource.v1.DeviceCapacity consumesCounters:4:*resource.v1.DeviceCounterConsumption nodeName:5:s? nodeSelector:6:core.v1.NodeSelector? allNodes:7:b? taints:8:*resource.v1.DeviceTaint bindsToNode:9:b? bindingConditions:10:*s bindingFailureConditions:11:*s allowMultipleAllocations:12:b? nodeAllocatableResourceMappings:13:%resource.v1.NodeAllocatableResourceMapping
resource.v1.DeviceAllocationConfiguration source:1:s requests:2:*s deviceConfiguration:3:resource.v1.DeviceConfiguration<
resource.v1.DeviceAllocationResult results:1:*resource.v1.DeviceRequestAllocationResult config:2:*resource.v1.DeviceAllocationConfiguration
resource.v1.DeviceAttribute int:2:i? bool:3:b? string:4:s? version:5:s? ints:6:*i bools:7:*b strings:8:*s versions:9:*s
resource.v1.DeviceCapacity value:1:resource.Quantity requestPolicy:2:resource.v1.CapacityRequestPolicy?
resource.v1.DeviceClaim requests:1:*resource.v1.DeviceRequest constraints:2:*resource.v1.DeviceConstraint config:3:*resource.v1.DeviceClaimConfiguration
resource.v1.DeviceClaimConfiguration requests:1:*s deviceConfiguration:2:resource.v1.DeviceConfiguration<
resource.v1.DeviceClass metadata:1:meta.v1.ObjectMeta spec:2:resource.v1.DeviceClassSpec
resource.v1.DeviceClassConfiguration deviceConfiguration:1:resource.v1.DeviceConfiguration<
resource.v1.DeviceClassList metadata:1:meta.v1.ListMeta items:2:*resource.v1.DeviceClass
resource.v1.DeviceClassSpec selectors:1:*resource.v1.DeviceSelector config:2:*resource.v1.DeviceClassConfiguration extendedResourceName:4:s?
resource.v1.DeviceConfiguration opaque:1:resource.v1.OpaqueDeviceConfiguration?
resource.v1.DeviceConstraint requests:1:*s matchAttribute:2:s? distinctAttribute:3:s?
resource.v1.DeviceCounterConsumption counterSet:1:s counters:2:%resource.v1.Counter
resource.v1.DeviceRequest name:1:s exactly:2:resource.v1.ExactDeviceRequest? firstAvailable:3:*resource.v1.DeviceSubRequest
resource.v1.DeviceRequestAllocationResult request:1:s driver:2:s pool:3:s device:4:s adminAccess:5:b? tolerations:6:*resource.v1.DeviceToleration bindingConditions:7:*s bindingFailureConditions:8:*s shareID:9:s? consumedCapacity:10:%resource.Quantity
resource.v1.DeviceSelector cel:1:resource.v1.CELDeviceSelector?
resource.v1.DeviceSubRequest name:1:s deviceClassName:2:s selectors:3:*resource.v1.DeviceSelector allocationMode:4:s count:5:i tolerations:6:*resource.v1.DeviceToleration capacity:7:resource.v1.CapacityRequirements?
resource.v1.DeviceTaint key:1:s value:2:s effect:3:s timeAdded:4:meta.v1.Time?
resource.v1.DeviceToleration key:1:s operator:2:s value:3:s effect:4:s tolerationSeconds:5:i?
resource.v1.ExactDeviceRequest deviceClassName:1:s selectors:2:*resource.v1.DeviceSelector allocationMode:3:s count:4:i adminAccess:5:b? tolerations:6:*resource.v1.DeviceToleration capacity:7:resource.v1.CapacityRequirements?
resource.v1.NetworkDeviceData interfaceName:1:s ips:2:*s hardwareAddress:3:s
resource.v1.NodeAllocatableResourceMapping capacityKey:1:s? allocationMultiplier:2:resource.Quantity?
resource.v1.OpaqueDeviceConfiguration driver:1:s parameters:2:runtime.RawExtension
resource.v1.ResourceClaim metadata:1:meta.v1.ObjectMeta spec:2:resource.v1.ResourceClaimSpec status:3:resource.v1.ResourceClaimStatus
resource.v1.ResourceClaimConsumerReference apiGroup:1:s resource:3:s name:4:s uid:5:s
resource.v1.ResourceClaimList metadata:1:meta.v1.ListMeta items:2:*resource.v1.ResourceClaim
resource.v1.ResourceClaimSpec devices:1:resource.v1.DeviceClaim
resource.v1.ResourceClaimStatus allocation:1:resource.v1.AllocationResult? reservedFor:2:*resource.v1.ResourceClaimConsumerReference devices:4:*resource.v1.AllocatedDeviceStatus
resource.v1.ResourceClaimTemplate metadata:1:meta.v1.ObjectMeta spec:2:resource.v1.ResourceClaimTemplateSpec
resource.v1.ResourceClaimTemplateList metadata:1:meta.v1.ListMeta items:2:*resource.v1.ResourceClaimTemplate
resource.v1.ResourceClaimTemplateSpec metadata:1:meta.v1.ObjectMeta spec:2:resource.v1.ResourceClaimSpec
resource.v1.ResourcePool name:1:s generation:2:i resourceSliceCount:3:i
resource.v1.ResourceSlice metadata:1:meta.v1.ObjectMeta spec:2:resource.v1.ResourceSliceSpec
resource.v1.ResourceSliceList metadata:1:meta.v1.ListMeta items:2:*resource.v1.ResourceSlice
resource.v1.ResourceSliceSpec driver:1:s pool:2:resource.v1.ResourcePool nodeName:3:s? nodeSelector:4:core.v1.NodeSelector? allNodes:5:b? devices:6:*resource.v1.Device perDeviceNodeSelection:7:b? sharedCounters:8:*resource.v1.CounterSet
resource.v1alpha3.CELDeviceSelector expression:1:s
resource.v1alpha3.DeviceSelector cel:1:resource.v1alpha3.CELDeviceSelector?
resource.v1alpha3.DeviceTaint key:1:s value:2:s effect:3:s timeAdded:4:meta.v1.Time?
resource.v1alpha3.DeviceTaintRule metadata:1:meta.v1.ObjectMeta spec:2:resource.v1alpha3.DeviceTaintRuleSpec status:3:resource.v1alpha3.DeviceTaintRuleStatus
resource.v1alpha3.DeviceTaintRuleList metadata:1:meta.v1.ListMeta items:2:*resource.v1alpha3.DeviceTaintRule
resource.v1alpha3.DeviceTaintRuleSpec deviceSelector:1:resource.v1alpha3.DeviceTaintSelector? taint:2:resource.v1alpha3.DeviceTaint
resource.v1alpha3.DeviceTaintRuleStatus conditions:1:*meta.v1.Condition
resource.v1alpha3.DeviceTaintSelector driver:2:s? pool:3:s? device:4:s?
resource.v1alpha3.PoolStatus driver:1:s poolName:2:s generation:9:i resourceSliceCount:8:i? totalDevices:4:i? allocatedDevices:5:i? availableDevices:6:i? unavailableDevices:7:i? nodeName:3:s? validationError:10:s?
resource.v1alpha3.ResourcePoolStatusRequest metadata:1:meta.v1.ObjectMeta spec:2:resource.v1alpha3.ResourcePoolStatusRequestSpec status:3:resource.v1alpha3.ResourcePoolStatusRequestStatus?
resource.v1alpha3.ResourcePoolStatusRequestList metadata:1:meta.v1.ListMeta items:2:*resource.v1alpha3.ResourcePoolStatusRequest
resource.v1alpha3.ResourcePoolStatusRequestSpec driver:1:s poolName:2:s? limit:3:i?
resource.v1alpha3.ResourcePoolStatusRequestStatus poolCount:6:i? pools:2:*resource.v1alpha3.PoolStatus conditions:3:*meta.v1.Condition
resource.v1beta1.AllocatedDeviceStatus driver:1:s pool:2:s device:3:s shareID:7:s? conditions:4:*meta.v1.Condition data:5:runtime.RawExtension? networkData:6:resource.v1beta1.NetworkDeviceData?
resource.v1beta1.AllocationResult devices:1:resource.v1beta1.DeviceAllocationResult nodeSelector:3:core.v1.NodeSelector? allocationTimestamp:5:meta.v1.Time?
resource.v1beta1.BasicDevice attributes:1:%resource.v1beta1.DeviceAttribute capacity:2:%resource.v1beta1.DeviceCapacity consumesCounters:3:*resource.v1beta1.DeviceCounterConsumption nodeName:4:s? nodeSelector:5:core.v1.NodeSelector? allNodes:6:b? taints:7:*resource.v1beta1.DeviceTaint bindsToNode:8:b? bindingConditions:9:*s bindingFailureConditions:10:*s allowMultipleAllocations:11:b? nodeAllocatableResourceMappings:12:%resource.v1beta1.NodeAllocatableResourceMapping
resource.v1beta1.CELDeviceSelector expression:1:s
resource.v1beta1.CapacityRequestPolicy default:1:resource.Quantity? validValues:3:*resource.Quantity validRange:4:resource.v1beta1.CapacityRequestPolicyRange?
resource.v1beta1.CapacityRequestPolicyRange min:1:resource.Quantity? max:2:resource.Quantity? step:3:resource.Quantity?
resource.v1beta1.CapacityRequirements requests:1:%resource.Quantity
resource.v1beta1.Counter value:1:resource.Quantity
resource.v1beta1.CounterSet name:1:s counters:2:%resource.v1beta1.Counter
resource.v1beta1.Device name:1:s basic:2:resource.v1beta1.BasicDevice?
resource.v1beta1.DeviceAllocationConfiguration source:1:s requests:2:*s deviceConfiguration:3:resource.v1beta1.DeviceConfiguration<
resource.v1beta1.DeviceAllocationResult results:1:*resource.v1beta1.DeviceRequestAllocationResult config:2:*resource.v1beta1.DeviceAllocationConfiguration
resource.v1beta1.DeviceAttribute int:2:i? bool:3:b? string:4:s? version:5:s? ints:6:*i bools:7:*b strings:8:*s versions:9:*s
resource.v1beta1.DeviceCapacity value:1:resource.Quantity requestPolicy:2:resource.v1beta1.CapacityRequestPolicy?
resource.v1beta1.DeviceClaim requests:1:*resource.v1beta1.DeviceRequest constraints:2:*resource.v1beta1.DeviceConstraint config:3:*resource.v1beta1.DeviceClaimConfiguration
resource.v1beta1.DeviceClaimConfiguration requests:1:*s deviceConfiguration:2:resource.v1beta1.DeviceConfiguration<
resource.v1beta1.DeviceClass metadata:1:meta.v1.ObjectMeta spec:2:resource.v1beta1.DeviceClassSpec
resource.v1beta1.DeviceClassConfiguration deviceConfiguration:1:resource.v1beta1.DeviceConfiguration<
resource.v1beta1.DeviceClassList metadata:1:meta.v1.ListMeta items:2:*resource.v1beta1.DeviceClass
resource.v1beta1.DeviceClassSpec selectors:1:*resource.v1beta1.DeviceSelector config:2:*resource.v1beta1.DeviceClassConfiguration extendedResourceName:4:s?
resource.v1beta1.DeviceConfiguration opaque:1:resource.v1beta1.OpaqueDeviceConfiguration?
resource.v1beta1.DeviceConstraint requests:1:*s matchAttribute:2:s? distinctAttribute:3:s?
resource.v1beta1.DeviceCounterConsumption counterSet:1:s counters:2:%resource.v1beta1.Counter
resource.v1beta1.DeviceRequest name:1:s deviceClassName:2:s selectors:3:*resource.v1beta1.DeviceSelector allocationMode:4:s count:5:i adminAccess:6:b? firstAvailable:7:*resource.v1beta1.DeviceSubRequest tolerations:8:*resource.v1beta1.DeviceToleration capacity:9:resource.v1beta1.CapacityRequirements?
resource.v1beta1.DeviceRequestAllocationResult request:1:s driver:2:s pool:3:s device:4:s adminAccess:5:b? tolerations:6:*resource.v1beta1.DeviceToleration bindingConditions:7:*s bindingFailureConditions:8:*s shareID:9:s? consumedCapacity:10:%resource.Quantity
resource.v1beta1.DeviceSelector cel:1:resource.v1beta1.CELDeviceSelector?
resource.v1beta1.DeviceSubRequest name:1:s deviceClassName:2:s selectors:3:*resource.v1beta1.DeviceSelector allocationMode:4:s count:5:i tolerations:7:*resource.v1beta1.DeviceToleration capacity:8:resource.v1beta1.CapacityRequirements?
resource.v1beta1.DeviceTaint key:1:s value:2:s effect:3:s timeAdded:4:meta.v1.Time?
resource.v1beta1.DeviceToleration key:1:s operator:2:s value:3:s effect:4:s tolerationSeconds:5:i?
resource.v1beta1.NetworkDeviceData interfaceName:1:s ips:2:*s hardwareAddress:3:s
resource.v1beta1.NodeAllocatableResourceMapping capacityKey:1:s? allocationMultiplier:2:resource.Quantity?
resource.v1beta1.OpaqueDeviceConfiguration driver:1:s parameters:2:runtime.RawExtension
resource.v1beta1.ResourceClaim metadata:1:meta.v1.ObjectMeta spec:2:resource.v1beta1.ResourceClaimSpec status:3:resource.v1beta1.ResourceClaimStatus
resource.v1beta1.ResourceClaimConsumerReference apiGroup:1:s resource:3:s name:4:s uid:5:s
resource.v1beta1.ResourceClaimList metadata:1:meta.v1.ListMeta items:2:*resource.v1beta1.ResourceClaim
resource.v1beta1.ResourceClaimSpec devices:1:resource.v1beta1.DeviceClaim
resource.v1beta1.ResourceClaimStatus allocation:1:resource.v1beta1.AllocationResult? reservedFor:2:*resource.v1beta1.ResourceClaimConsumerReference devices:4:*resource.v1beta1.AllocatedDeviceStatus
resource.v1beta1.ResourceClaimTemplate metadata:1:meta.v1.ObjectMeta spec:2:resource.v1beta1.ResourceClaimTemplateSpec
resource.v1beta1.ResourceClaimTemplateList metadata:1:meta.v1.ListMeta items:2:*resource.v1beta1.ResourceClaimTemplate
resource.v1beta1.ResourceClaimTemplateSpec metadata:1:meta.v1.ObjectMeta spec:2:resource.v1beta1.ResourceClaimSpec
resource.v1beta1.ResourcePool name:1:s generation:2:i resourceSliceCount:3:i
resource.v1beta1.ResourceSlice metadata:1:meta.v1.ObjectMeta spec:2:resource.v1beta1.ResourceSliceSpec
resource.v1beta1.ResourceSliceList metadata:1:meta.v1.ListMeta items:2:*resource.v1beta1.ResourceSlice
resource.v1beta1.ResourceSliceSpec driver:1:s pool:2:resource.v1beta1.ResourcePool nodeName:3:s nodeSelector:4:core.v1.NodeSelector? allNodes:5:b devices:6:*resource.v1beta1.Device perDeviceNodeSelection:7:b? sharedCounters:8:*resource.v1beta1.CounterSet
resource.v1beta2.AllocatedDeviceStatus driver:1:s pool:2:s device:3:s shareID:7:s? conditions:4:*meta.v1.Condition data:5:runtime.RawExtension? networkData:6:resource.v1beta2.NetworkDeviceData?
resource.v1beta2.AllocationResult devices:1:resource.v1beta2.DeviceAllocationResult nodeSelector:3:core.v1.NodeSelector? allocationTimestamp:5:meta.v1.Time?
resource.v1beta2.CELDeviceSelector expression:1:s
resource.v1beta2.CapacityRequestPolicy default:1:resource.Quantity? validValues:3:*resource.Quantity validRange:4:resource.v1beta2.CapacityRequestPolicyRange?
resource.v1beta2.CapacityRequestPolicyRange min:1:resource.Quantity? max:2:resource.Quantity? step:3:resource.Quantity?
resource.v1beta2.CapacityRequirements requests:1:%resource.Quantity
resource.v1beta2.Counter value:1:resource.Quantity
resource.v1beta2.CounterSet name:1:s counters:2:%resource.v1beta2.Counter
resource.v1beta2.Device name:1:s attributes:2:%resource.v1beta2.DeviceAttribute capacity:3:%resource.v1beta2.DeviceCapacity consumesCounters:4:*resource.v1beta2.DeviceCounterConsumption nodeName:5:s? nodeSelector:6:core.v1.NodeSelector? allNodes:7:b? taints:8:*resource.v1beta2.DeviceTaint bindsToNode:9:b? bindingConditions:10:*s bindingFailureConditions:11:*s allowMultipleAllocations:12:b? nodeAllocatableResourceMappings:13:%resource.v1beta2.NodeAllocatableResourceMapping
resource.v1beta2.DeviceAllocationConfiguration source:1:s requests:2:*s deviceConfiguration:3:resource.v1beta2.DeviceConfiguration<
resource.v1beta2.DeviceAllocationResult results:1:*resource.v1beta2.DeviceRequestAllocationResult config:2:*resource.v1beta2.DeviceAllocationConfiguration
resource.v1beta2.DeviceAttribute int:2:i? bool:3:b? string:4:s? version:5:s? ints:6:*i bools:7:*b strings:8:*s versions:9:*s
resource.v1beta2.DeviceCapacity value:1:resource.Quantity requestPolicy:2:resource.v1beta2.CapacityRequestPolicy?
resource.v1beta2.DeviceClaim requests:1:*resource.v1beta2.DeviceRequest constraints:2:*resource.v1beta2.DeviceConstraint config:3:*resource.v1beta2.DeviceClaimConfiguration
resource.v1beta2.DeviceClaimConfiguration requests:1:*s deviceConfiguration:2:resource.v1beta2.DeviceConfiguration<
resource.v1beta2.DeviceClass metadata:1:meta.v1.ObjectMeta spec:2:resource.v1beta2.DeviceClassSpec
resource.v1beta2.DeviceClassConfiguration deviceConfiguration:1:resource.v1beta2.DeviceConfiguration<
resource.v1beta2.DeviceClassList metadata:1:meta.v1.ListMeta items:2:*resource.v1beta2.DeviceClass
resource.v1beta2.DeviceClassSpec selectors:1:*resource.v1beta2.DeviceSelector config:2:*resource.v1beta2.DeviceClassConfiguration extendedResourceName:4:s?
resource.v1beta2.DeviceConfiguration opaque:1:resource.v1beta2.OpaqueDeviceConfiguration?
resource.v1beta2.DeviceConstraint requests:1:*s matchAttribute:2:s? distinctAttribute:3:s?
resource.v1beta2.DeviceCounterConsumption counterSet:1:s counters:2:%resource.v1beta2.Counter
resource.v1beta2.DeviceRequest name:1:s exactly:2:resource.v1beta2.ExactDeviceRequest? firstAvailable:3:*resource.v1beta2.DeviceSubRequest
resource.v1beta2.DeviceRequestAllocationResult request:1:s driver:2:s pool:3:s device:4:s adminAccess:5:b? tolerations:6:*resource.v1beta2.DeviceToleration bindingConditions:7:*s bindingFailureConditions:8:*s shareID:9:s? consumedCapacity:10:%resource.Quantity
resource.v1beta2.DeviceSelector cel:1:resource.v1beta2.CELDeviceSelector?
resource.v1beta2.DeviceSubRequest name:1:s deviceClassName:2:s selectors:3:*resource.v1beta2.DeviceSelector allocationMode:4:s count:5:i tolerations:6:*resource.v1beta2.DeviceToleration capacity:7:resource.v1beta2.CapacityRequirements?
resource.v1beta2.DeviceTaint key:1:s value:2:s effect:3:s timeAdded:4:meta.v1.Time?
resource.v1beta2.DeviceTaintRule metadata:1:meta.v1.ObjectMeta spec:2:resource.v1beta2.DeviceTaintRuleSpec status:3:resource.v1beta2.DeviceTaintRuleStatus
resource.v1beta2.DeviceTaintRuleList metadata:1:meta.v1.ListMeta items:2:*resource.v1beta2.DeviceTaintRule
resource.v1beta2.DeviceTaintRuleSpec deviceSelector:1:resource.v1beta2.DeviceTaintSelector? taint:2:resource.v1beta2.DeviceTaint
resource.v1beta2.DeviceTaintRuleStatus conditions:1:*meta.v1.Condition
resource.v1beta2.DeviceTaintSelector driver:2:s? pool:3:s? device:4:s?
resource.v1beta2.DeviceToleration key:1:s operator:2:s value:3:s effect:4:s tolerationSeconds:5:i?
resource.v1beta2.ExactDeviceRequest deviceClassName:1:s selectors:2:*resource.v1beta2.DeviceSelector allocationMode:3:s count:4:i adminAccess:5:b? tolerations:6:*resource.v1beta2.DeviceToleration capacity:7:resource.v1beta2.CapacityRequirements?
resource.v1beta2.NetworkDeviceData interfaceName:1:s ips:2:*s hardwareAddress:3:s
resource.v1beta2.NodeAllocatableResourceMapping capacityKey:1:s? allocationMultiplier:2:resource.Quantity?
resource.v1beta2.OpaqueDeviceConfiguration driver:1:s parameters:2:runtime.RawExtension
resource.v1beta2.ResourceClaim metadata:1:meta.v1.ObjectMeta spec:2:resource.v1beta2.ResourceClaimSpec status:3:resource.v1beta2.ResourceClaimStatus
resource.v1beta2.ResourceClaimConsumerReference apiGroup:1:s resource:3:s name:4:s uid:5:s
resource.v1beta2.ResourceClaimList metadata:1:meta.v1.ListMeta items:2:*resource.v1beta2.ResourceClaim
resource.v1beta2.ResourceClaimSpec devices:1:resource.v1beta2.DeviceClaim
resource.v1beta2.ResourceClaimStatus allocation:1:resource.v1beta2.AllocationResult? reservedFor:2:*resource.v1beta2.ResourceClaimConsumerReference devices:4:*resource.v1beta2.AllocatedDeviceStatus
resource.v1beta2.ResourceClaimTemplate metadata:1:meta.v1.ObjectMeta spec:2:resource.v1beta2.ResourceClaimTemplateSpec
resource.v1beta2.ResourceClaimTemplateList metadata:1:meta.v1.ListMeta items:2:*resource.v1beta2.ResourceClaimTemplate
resource.v1beta2.ResourceClaimTemplateSpec metadata:1:meta.v1.ObjectMeta spec:2:resource.v1beta2.ResourceClaimSpec
resource.v1beta2.ResourcePool name:1:s generation:2:i resourceSliceCount:3:i
resource.v1beta2.ResourceSlice metadata:1:meta.v1.ObjectMeta spec:2:resource.v1beta2.ResourceSliceSpec
resource.v1beta2.ResourceSliceList metadata:1:meta.v1.ListMeta items:2:*resource.v1beta2.ResourceSlice
resource.v1beta2.ResourceSliceSpec driver:1:s pool:2:resource.v1beta2.ResourcePool nodeName:3:s? nodeSelector:4:core.v1.NodeSelector? allNodes:5:b? devices:6:*resource.v1beta2.Device perDeviceNodeSelection:7:b? sharedCounters:8:*resource.v1beta2.CounterSet
runtime.RawExtension -:1:y
runtime.TypeMeta apiVersion:1:s kind:2:s
runtime.Unknown typeMeta:1:runtime.TypeMeta< -:2:y contentEncoding:3:s contentType:4:s
scheduling.v1.PriorityClass metadata:1:meta.v1.ObjectMeta value:2:i globalDefault:3:b description:4:s preemptionPolicy:5:s?
scheduling.v1.PriorityClassList metadata:1:meta.v1.ListMeta items:2:*scheduling.v1.PriorityClass
scheduling.v1alpha2.BasicSchedulingPolicy
scheduling.v1alpha2.GangSchedulingPolicy minCount:1:i
scheduling.v1alpha2.PodGroup metadata:1:meta.v1.ObjectMeta spec:2:scheduling.v1alpha2.PodGroupSpec status:3:scheduling.v1alpha2.PodGroupStatus
scheduling.v1alpha2.PodGroupList metadata:1:meta.v1.ListMeta items:2:*scheduling.v1alpha2.PodGroup
scheduling.v1alpha2.PodGroupResourceClaim name:1:s resourceClaimName:2:s? resourceClaimTemplateName:3:s?
scheduling.v1alpha2.PodGroupResourceClaimStatus name:1:s resourceClaimName:2:s?
scheduling.v1alpha2.PodGroupSchedulingConstraints topology:1:*scheduling.v1alpha2.TopologyConstraint
scheduling.v1alpha2.PodGroupSchedulingPolicy basic:1:scheduling.v1alpha2.BasicSchedulingPolicy? gang:2:scheduling.v1alpha2.GangSchedulingPolicy?
scheduling.v1alpha2.PodGroupSpec podGroupTemplateRef:1:scheduling.v1alpha2.PodGroupTemplateReference? schedulingPolicy:2:scheduling.v1alpha2.PodGroupSchedulingPolicy schedulingConstraints:3:scheduling.v1alpha2.PodGroupSchedulingConstraints? resourceClaims:4:*scheduling.v1alpha2.PodGroupResourceClaim disruptionMode:5:s? priorityClassName:6:s priority:7:i?
scheduling.v1alpha2.PodGroupStatus conditions:1:*meta.v1.Condition resourceClaimStatuses:2:*scheduling.v1alpha2.PodGroupResourceClaimStatus
scheduling.v1alpha2.PodGroupTemplate name:1:s schedulingPolicy:2:scheduling.v1alpha2.PodGroupSchedulingPolicy schedulingConstraints:3:scheduling.v1alpha2.PodGroupSchedulingConstraints? resourceClaims:4:*scheduling.v1alpha2.PodGroupResourceClaim disruptionMode:5:s? priorityClassName:6:s priority:7:i?
scheduling.v1alpha2.PodGroupTemplateReference workload:1:scheduling.v1alpha2.WorkloadPodGroupTemplateReference?
scheduling.v1alpha2.TopologyConstraint key:1:s
scheduling.v1alpha2.TypedLocalObjectReference apiGroup:1:s kind:2:s name:3:s
scheduling.v1alpha2.Workload metadata:1:meta.v1.ObjectMeta spec:2:scheduling.v1alpha2.WorkloadSpec
scheduling.v1alpha2.WorkloadList metadata:1:meta.v1.ListMeta items:2:*scheduling.v1alpha2.Workload
scheduling.v1alpha2.WorkloadPodGroupTemplateReference workloadName:1:s podGroupTemplateName:2:s
scheduling.v1alpha2.WorkloadSpec controllerRef:1:scheduling.v1alpha2.TypedLocalObjectReference? podGroupTemplates:2:*scheduling.v1alpha2.PodGroupTemplate
scheduling.v1beta1.PriorityClass metadata:1:meta.v1.ObjectMeta value:2:i globalDefault:3:b description:4:s preemptionPolicy:5:s?
scheduling.v1beta1.PriorityClassList metadata:1:meta.v1.ListMeta items:2:*scheduling.v1beta1.PriorityClass
storage.v1.CSIDriver metadata:1:meta.v1.ObjectMeta spec:2:storage.v1.CSIDriverSpec
storage.v1.CSIDriverList metadata:1:meta.v1.ListMeta items:2:*storage.v1.CSIDriver
storage.v1.CSIDriverSpec attachRequired:1:b? podInfoOnMount:2:b? volumeLifecycleModes:3:*s storageCapacity:4:b? fsGroupPolicy:5:s? tokenRequests:6:*storage.v1.TokenRequest requiresRepublish:7:b? seLinuxMount:8:b? nodeAllocatableUpdatePeriodSeconds:9:i? serviceAccountTokenInSecrets:10:b? preventPodSchedulingIfMissing:11:b?
storage.v1.CSINode metadata:1:meta.v1.ObjectMeta spec:2:storage.v1.CSINodeSpec
storage.v1.CSINodeDriver name:1:s nodeID:2:s topologyKeys:3:*s allocatable:4:storage.v1.VolumeNodeResources?
storage.v1.CSINodeList metadata:1:meta.v1.ListMeta items:2:*storage.v1.CSINode
storage.v1.CSINodeSpec drivers:1:*storage.v1.CSINodeDriver
storage.v1.CSIStorageCapacity metadata:1:meta.v1.ObjectMeta nodeTopology:2:meta.v1.LabelSelector? storageClassName:3:s capacity:4:resource.Quantity? maximumVolumeSize:5:resource.Quantity?
storage.v1.CSIStorageCapacityList metadata:1:meta.v1.ListMeta items:2:*storage.v1.CSIStorageCapacity
storage.v1.StorageClass metadata:1:meta.v1.ObjectMeta provisioner:2:s parameters:3:%s reclaimPolicy:4:s? mountOptions:5:*s allowVolumeExpansion:6:b? volumeBindingMode:7:s? allowedTopologies:8:*core.v1.TopologySelectorTerm
storage.v1.StorageClassList metadata:1:meta.v1.ListMeta items:2:*storage.v1.StorageClass
storage.v1.TokenRequest audience:1:s expirationSeconds:2:i?
storage.v1.VolumeAttachment metadata:1:meta.v1.ObjectMeta spec:2:storage.v1.VolumeAttachmentSpec status:3:storage.v1.VolumeAttachmentStatus
storage.v1.VolumeAttachmentList metadata:1:meta.v1.ListMeta items:2:*storage.v1.VolumeAttachment
storage.v1.VolumeAttachmentSource persistentVolumeName:1:s? inlineVolumeSpec:2:core.v1.PersistentVolumeSpec?
storage.v1.VolumeAttachmentSpec attacher:1:s source:2:storage.v1.VolumeAttachmentSource nodeName:3:s
storage.v1.VolumeAttachmentStatus attached:1:b attachmentMetadata:2:%s attachError:3:storage.v1.VolumeError? detachError:4:storage.v1.VolumeError?
storage.v1.VolumeAttributesClass metadata:1:meta.v1.ObjectMeta driverName:2:s parameters:3:%s
storage.v1.VolumeAttributesClassList metadata:1:meta.v1.ListMeta items:2:*storage.v1.VolumeAttributesClass
storage.v1.VolumeError time:1:meta.v1.Time message:2:s errorCode:3:i?
storage.v1.VolumeNodeResources count:1:i?
storage.v1alpha1.CSIStorageCapacity metadata:1:meta.v1.ObjectMeta nodeTopology:2:meta.v1.LabelSelector? storageClassName:3:s capacity:4:resource.Quantity? maximumVolumeSize:5:resource.Quantity?
storage.v1alpha1.CSIStorageCapacityList metadata:1:meta.v1.ListMeta items:2:*storage.v1alpha1.CSIStorageCapacity
storage.v1alpha1.VolumeAttachment metadata:1:meta.v1.ObjectMeta spec:2:storage.v1alpha1.VolumeAttachmentSpec status:3:storage.v1alpha1.VolumeAttachmentStatus
storage.v1alpha1.VolumeAttachmentList metadata:1:meta.v1.ListMeta items:2:*storage.v1alpha1.VolumeAttachment
storage.v1alpha1.VolumeAttachmentSource persistentVolumeName:1:s? inlineVolumeSpec:2:core.v1.PersistentVolumeSpec?
storage.v1alpha1.VolumeAttachmentSpec attacher:1:s source:2:storage.v1alpha1.VolumeAttachmentSource nodeName:3:s
storage.v1alpha1.VolumeAttachmentStatus attached:1:b attachmentMetadata:2:%s attachError:3:storage.v1alpha1.VolumeError? detachError:4:storage.v1alpha1.VolumeError?
storage.v1alpha1.VolumeAttributesClass metadata:1:meta.v1.ObjectMeta driverName:2:s parameters:3:%s
storage.v1alpha1.VolumeAttributesClassList metadata:1:meta.v1.ListMeta items:2:*storage.v1alpha1.VolumeAttributesClass
storage.v1alpha1.VolumeError time:1:meta.v1.Time message:2:s errorCode:3:i?
storage.v1beta1.CSIDriver metadata:1:meta.v1.ObjectMeta spec:2:storage.v1beta1.CSIDriverSpec
storage.v1beta1.CSIDriverList metadata:1:meta.v1.ListMeta items:2:*storage.v1beta1.CSIDriver
storage.v1beta1.CSIDriverSpec attachRequired:1:b? podInfoOnMount:2:b? volumeLifecycleModes:3:*s storageCapacity:4:b? fsGroupPolicy:5:s? tokenRequests:6:*storage.v1beta1.TokenRequest requiresRepublish:7:b? seLinuxMount:8:b? nodeAllocatableUpdatePeriodSeconds:9:i? serviceAccountTokenInSecrets:10:b? preventPodSchedulingIfMissing:11:b?
storage.v1beta1.CSINode metadata:1:meta.v1.ObjectMeta spec:2:storage.v1beta1.CSINodeSpec
storage.v1beta1.CSINodeDriver name:1:s nodeID:2:s topologyKeys:3:*s allocatable:4:storage.v1beta1.VolumeNodeResources?
storage.v1beta1.CSINodeList metadata:1:meta.v1.ListMeta items:2:*storage.v1beta1.CSINode
storage.v1beta1.CSINodeSpec drivers:1:*storage.v1beta1.CSINodeDriver
storage.v1beta1.CSIStorageCapacity metadata:1:meta.v1.ObjectMeta nodeTopology:2:meta.v1.LabelSelector? storageClassName:3:s capacity:4:resource.Quantity? maximumVolumeSize:5:resource.Quantity?
storage.v1beta1.CSIStorageCapacityList metadata:1:meta.v1.ListMeta items:2:*storage.v1beta1.CSIStorageCapacity
storage.v1beta1.StorageClass metadata:1:meta.v1.ObjectMeta provisioner:2:s parameters:3:%s reclaimPolicy:4:s? mountOptions:5:*s allowVolumeExpansion:6:b? volumeBindingMode:7:s? allowedTopologies:8:*core.v1.TopologySelectorTerm
storage.v1beta1.StorageClassList metadata:1:meta.v1.ListMeta items:2:*storage.v1beta1.StorageClass
storage.v1beta1.TokenRequest audience:1:s expirationSeconds:2:i?
storage.v1beta1.VolumeAttachment metadata:1:meta.v1.ObjectMeta spec:2:storage.v1beta1.VolumeAttachmentSpec status:3:storage.v1beta1.VolumeAttachmentStatus
storage.v1beta1.VolumeAttachmentList metadata:1:meta.v1.ListMeta items:2:*storage.v1beta1.VolumeAttachment
storage.v1beta1.VolumeAttachmentSource persistentVolumeName:1:s? inlineVolumeSpec:2:core.v1.PersistentVolumeSpec?
storage.v1beta1.VolumeAttachmentSpec attacher:1:s source:2:storage.v1beta1.VolumeAttachmentSource nodeName:3:s
storage.v1beta1.VolumeAttachmentStatus attached:1:b attachmentMetadata:2:%s attachError:3:storage.v1beta1.VolumeError? detachError:4:storage.v1beta1.VolumeError?
storage.v1beta1.VolumeAttributesClass metadata:1:meta.v1.ObjectMeta driverName:2:s parameters:3:%s
storage.v1beta1.VolumeAttributesClassList metadata:1:meta.v1.ListMeta items:2:*storage.v1beta1.VolumeAttributesClass
storage.v1beta1.VolumeError time:1:meta.v1.Time message:2:s errorCode:3:i?
storage.v1beta1.VolumeNodeResources count:1:i?
storagemigration.v1beta1.StorageVersionMigration metadata:1:meta.v1.ObjectMeta spec:2:storagemigration.v1beta1.StorageVersionMigrationSpec status:3:storagemigration.v1beta1.StorageVersionMigrationStatus
storagemigration.v1beta1.StorageVersionMigrationList metadata:1:meta.v1.ListMeta items:2:*storagemigration.v1beta1.StorageVersionMigration
storagemigration.v1beta1.StorageVersionMigrationSpec resource:1:meta.v1.GroupResource
storagemigration.v1beta1.StorageVersionMigrationStatus conditions:1:*meta.v1.Condition resourceVersion:2:s
`;
