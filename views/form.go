package views

import "slices"

// Errors of a form, by field, in the order in which they are shown. They stand
// above the form and again beside each field.
type Errors []FieldError

// A FieldError is what is wrong with one field and how to mend it.
type FieldError struct {
	Field   string // name of the field, "" when it is of the whole form
	Message string
}

// Of is the message for a field, "" when it is right.
func (e Errors) Of(field string) string {
	for _, one := range e {
		if one.Field == field {
			return one.Message
		}
	}
	return ""
}

// A Label is what every field has.
type Label struct {
	Name     string // in the form's data
	Text     string
	Hint     string
	Error    string
	Optional bool

	filter bool // it stands in Filters, beside which a form may have a field of the same name
}

func (l Label) id() string {
	if l.filter {
		return "filter-" + l.Name
	}
	return "field-" + l.Name
}

// describedBy names the hint and the error for screen readers.
func (l Label) describedBy() string {
	ids := ""
	if l.Hint != "" {
		ids = l.id() + "-hint"
	}
	if l.Error != "" {
		if ids != "" {
			ids += " "
		}
		ids += l.id() + "-error"
	}
	return ids
}

// A Field is a line of text, or several when Rows is above 1.
type Field struct {
	Label
	Value        string
	Type         string // of the input: "text" when "", "url", "email", "number", "password", "search"
	Autocomplete string // as HTML names it, "" to leave it to the browser
	Rows         int
	Mono         bool // code, an id, a token
}

func (f Field) kind() string {
	if f.Type == "" {
		return "text"
	}
	return f.Type
}

// An Option is one choice of a Select.
type Option struct {
	Value string
	Text  string // the value when ""
}

func (o Option) text() string {
	if o.Text == "" {
		return o.Value
	}
	return o.Text
}

// A Select chooses one of several.
type Select struct {
	Label
	Value   string
	Options []Option
}

// A File takes an upload. Accept is as HTML has it: ".jsonl,.zip".
type File struct {
	Label
	Accept string
}

// A Choice is a box to tick.
type Choice struct {
	Label
	Checked bool
}

// Filters is the one line of fields above a table; it is a GET form.
type Filters struct {
	Action  string // path of the page
	Fields  []Field
	Selects []Select
	Boxes   []Boxes  // under the line
	Keep    []Hidden // parameters that the form does not show but must not lose
	Said    string   // what is active, in words
	Clear   string   // address without filters, "" when none is active
}

// asFilters marks the fields as those of a line of filters.
func (f Filters) asFilters() Filters {
	f.Fields, f.Selects = slices.Clone(f.Fields), slices.Clone(f.Selects)
	for i := range f.Fields {
		f.Fields[i].filter = true
	}
	for i := range f.Selects {
		f.Selects[i].filter = true
	}
	return f
}

// Hidden is a field that only the form sees.
type Hidden struct {
	Name, Value string
}
