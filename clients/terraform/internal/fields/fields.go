// Package fields describes the objects of the inventory: the fields of nodes, services and agents, by type.
package fields

import "slices"

// ValueKind is the kind of the values of a field.
type ValueKind int

// The kinds of values. A list is ordered, a set is not; a map has texts by name.
const (
	Text ValueKind = iota
	Integer
	Boolean
	TextList
	TextSet
	TextMap
	Object
)

// Field is a field of the objects of one kind, over all types.
type Field struct {
	// Name is the name of the attribute.
	Name string
	// JSON is the name in the API, if different.
	JSON  string
	Value ValueKind
	// Types has the types of objects with this field; empty: all.
	Types []string
	// Required has the types that require it.
	Required []string
	// Default is nil without a default. An empty map stands for the defaults of the fields of an object.
	Default any
	// Words has the permitted values of a text; empty: all.
	Words       []string
	Least, Most *int64
	Description string
	// Fields has the fields of an object.
	Fields []Field
}

// Kind is a kind of objects.
type Kind struct {
	Name  string
	Types []string
	// Identity has the fields that identify an object and cannot change. The first is the type.
	Identity []string
	// Desired has the fields that users set, Computed the other fields of a reply.
	Desired, Computed []Field
	// Filters has the parameters of the list.
	Filters []Field
}

func number(value int64) *int64 { return &value }

// Key is the name of the field in the API.
func (f Field) Key() string {
	if f.JSON != "" {
		return f.JSON
	}
	return f.Name
}

// In says whether objects of a type have the field.
func (f Field) In(objectType string) bool {
	return len(f.Types) == 0 || slices.Contains(f.Types, objectType)
}

// Complete returns a value with the defaults in place of absent values. nil is an absent value.
func (f Field) Complete(value any) any {
	if value == nil {
		value = f.Default
	}
	object, isObject := value.(map[string]any)
	if f.Value != Object || !isObject {
		return value
	}
	complete := map[string]any{}
	for _, one := range f.Fields {
		complete[one.Name] = one.Complete(object[one.Name])
	}
	return complete
}

// TypeField is the name of the field with the type.
func (k Kind) TypeField() string { return k.Identity[0] }

// ID is the name of the field with the id.
func (k Kind) ID() string { return k.Name + "_id" }

// List is the name of the list of the objects, in paths and replies.
func (k Kind) List() string { return k.Name + "s" }

// Find returns the field of a name among some.
func Find(all []Field, name string) (Field, bool) {
	index := slices.IndexFunc(all, func(one Field) bool { return one.Name == name })
	if index < 0 {
		return Field{}, false
	}
	return all[index], true
}
