package provider

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/monitoring-inventory/terraform-provider-inventory/internal/fields"
)

// attributes are the values of a configuration, a plan or a state: nil, unknown, string, bool, int64, float64, lists and
// objects of them.
type attributes = map[string]any

// unknownValue stands for a value that is known only after an apply.
type unknownValue struct{}

var unknown = unknownValue{}

func isUnknown(value any) bool { return value == unknown }

// containsUnknown says whether a part of the value is unknown.
func containsUnknown(value any) bool {
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, containsUnknown)
	case attributes:
		for _, one := range value {
			if containsUnknown(one) {
				return true
			}
		}
	}
	return isUnknown(value)
}

func fromValue(value tftypes.Value) (any, error) {
	if !value.IsKnown() {
		return unknown, nil
	}
	if value.IsNull() {
		return nil, nil
	}
	typ := value.Type()
	switch {
	case typ.Is(tftypes.String):
		var text string
		err := value.As(&text)
		return text, err
	case typ.Is(tftypes.Bool):
		var flag bool
		err := value.As(&flag)
		return flag, err
	case typ.Is(tftypes.Number):
		var number big.Float
		if err := value.As(&number); err != nil {
			return nil, err
		}
		if whole, accuracy := number.Int64(); accuracy == big.Exact {
			return whole, nil
		}
		float, _ := number.Float64()
		return float, nil
	case typ.Is(tftypes.Object{}) || typ.Is(tftypes.Map{}):
		var parts map[string]tftypes.Value
		if err := value.As(&parts); err != nil {
			return nil, err
		}
		object := attributes{}
		for name, part := range parts {
			one, err := fromValue(part)
			if err != nil {
				return nil, err
			}
			object[name] = one
		}
		return object, nil
	default:
		var parts []tftypes.Value
		if err := value.As(&parts); err != nil {
			return nil, err
		}
		list := make([]any, len(parts))
		for index, part := range parts {
			one, err := fromValue(part)
			if err != nil {
				return nil, err
			}
			list[index] = one
		}
		return list, nil
	}
}

// toAttributes returns the attributes of an object.
func toAttributes(value tftypes.Value) (attributes, error) {
	converted, err := fromValue(value)
	if err != nil {
		return nil, err
	}
	object, isObject := converted.(attributes)
	if !isObject {
		return attributes{}, nil
	}
	return object, nil
}

// toValue returns the value of a type. Attributes that are absent from an object are null.
func toValue(typ tftypes.Type, value any) tftypes.Value {
	switch value := value.(type) {
	case unknownValue:
		return tftypes.NewValue(typ, tftypes.UnknownValue)
	case nil:
		return tftypes.NewValue(typ, nil)
	case []any:
		parts := make([]tftypes.Value, len(value))
		for index, one := range value {
			parts[index] = toValue(elementOf(typ), one)
		}
		return tftypes.NewValue(typ, parts)
	case attributes:
		return tftypes.NewValue(typ, partsOf(typ, value))
	case json.Number:
		number, _, err := big.ParseFloat(value.String(), 10, 512, big.ToNearestEven)
		if err != nil {
			return tftypes.NewValue(typ, nil)
		}
		return tftypes.NewValue(typ, number)
	default:
		return tftypes.NewValue(typ, value)
	}
}

func partsOf(typ tftypes.Type, object attributes) map[string]tftypes.Value {
	parts := map[string]tftypes.Value{}
	if typ, isObject := typ.(tftypes.Object); isObject {
		for name, attribute := range typ.AttributeTypes {
			parts[name] = toValue(attribute, object[name])
		}
		return parts
	}
	for name, one := range object {
		parts[name] = toValue(elementOf(typ), one)
	}
	return parts
}

func elementOf(typ tftypes.Type) tftypes.Type {
	switch typ := typ.(type) {
	case tftypes.List:
		return typ.ElementType
	case tftypes.Set:
		return typ.ElementType
	case tftypes.Map:
		return typ.ElementType
	default:
		panic(fmt.Sprintf("a collection of the type %s", typ))
	}
}

// texts returns the texts of a list.
func texts(value any) []string {
	list, _ := value.([]any)
	all := make([]string, 0, len(list))
	for _, one := range list {
		if text, isText := one.(string); isText {
			all = append(all, text)
		}
	}
	return all
}

func text(value any) string {
	text, _ := value.(string)
	return text
}

func anyList(list []string) []any {
	all := make([]any, len(list))
	for index, one := range list {
		all[index] = one
	}
	return all
}

// areEqual compares two values of a field. The elements of a set have no order.
func areEqual(field fields.Field, left, right any) bool {
	return reflect.DeepEqual(normal(field, left), normal(field, right))
}

func normal(field fields.Field, value any) any {
	switch value := value.(type) {
	case []any:
		if field.Value != fields.TextSet || containsUnknown(value) {
			return value
		}
		sorted := texts(value)
		slices.Sort(sorted)
		return sorted
	case attributes:
		if field.Value != fields.Object {
			return value
		}
		object := attributes{}
		for _, one := range field.Fields {
			object[one.Name] = normal(one, value[one.Name])
		}
		return object
	case json.Number:
		number, err := value.Int64()
		if err != nil {
			return value
		}
		return number
	default:
		return value
	}
}

// toAPI returns the fields of an object of a type in the API. A field without a value is absent, or null.
func toAPI(all []fields.Field, objectType string, values attributes, withNull bool) attributes {
	object := attributes{}
	for _, field := range all {
		if !field.In(objectType) {
			continue
		}
		value := values[field.Name]
		if inner, isObject := value.(attributes); isObject && field.Value == fields.Object {
			value = toAPI(field.Fields, "", inner, withNull)
		}
		if value != nil || withNull {
			object[field.Key()] = value
		}
	}
	return object
}

// fromAPI returns the attributes of an object of the API.
func fromAPI(all []fields.Field, object attributes) attributes {
	values := attributes{}
	for _, field := range all {
		value := normal(field, object[field.Key()])
		if inner, isObject := object[field.Key()].(attributes); isObject && field.Value == fields.Object {
			value = fromAPI(field.Fields, inner)
		}
		if list, isList := value.([]string); isList {
			value = anyList(list)
		}
		values[field.Name] = value
	}
	return values
}

// normalNumber returns a whole number of a reply.
func normalNumber(value any) (int64, bool) {
	number, isNumber := normal(fields.Field{Value: fields.Integer}, value).(int64)
	return number, isNumber
}
