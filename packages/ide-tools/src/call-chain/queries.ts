/*
 * Queries for the parts of a source, by grammar. Captures: `class`, `method`, `constructor`, `var`, `field`, `call` and
 * `new` are the parts themselves, with `name`, `type`, `value` and `on` below them; `super`, `returns`, `receiver`,
 * `package` and `import` belong to the class, method or file around them.
 */

/** Java. */
export const java = `
(package_declaration (_) @package)
(import_declaration (scoped_identifier) @import)
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(superclass (_) @super)
(super_interfaces (type_list (_) @super))
(extends_interfaces (type_list (_) @super))
(method_declaration name: (_) @name) @method
(method_declaration type: (_) @returns)
(constructor_declaration name: (_) @name) @constructor
(field_declaration type: (_) @type declarator: (variable_declarator name: (_) @name)) @var
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (_) @name value: (_)? @value)) @var
(formal_parameter type: (_) @type name: (_) @name) @var
(enhanced_for_statement type: (_) @type name: (_) @name) @var
(resource type: (_) @type name: (_) @name) @var
(method_invocation !object name: (_) @name) @call
(method_invocation object: (_) @on name: (_) @name) @call
(method_reference . (_) @on (identifier) @name .) @call
(object_creation_expression type: (_) @type) @new
`;

/** Kotlin. */
export const kotlin = `
(package_header (identifier) @package)
(import_header (identifier) @import)
(class_declaration (type_identifier) @name) @class
(object_declaration (type_identifier) @name) @class
(delegation_specifier (user_type) @super)
(delegation_specifier (constructor_invocation (user_type) @super))
(function_declaration (simple_identifier) @name) @method
(function_declaration (function_value_parameters) . [(user_type) (nullable_type)] @returns)
(function_declaration (user_type) @receiver . (simple_identifier))
(variable_declaration (simple_identifier) @name [(user_type) (nullable_type)] @type) @var
(property_declaration (variable_declaration . (simple_identifier) @name .) . (_) @value) @var
(class_parameter (simple_identifier) @name [(user_type) (nullable_type)] @type) @var
(parameter (simple_identifier) @name [(user_type) (nullable_type)] @type) @var
(call_expression . (simple_identifier) @name) @call
(call_expression . (navigation_expression (_) @on (navigation_suffix (simple_identifier) @name))) @call
`;

/** TypeScript, and JavaScript, which is read with the grammar of TSX. */
export const typescript = `
(class_declaration name: (_) @name) @class
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(extends_clause value: (_) @super)
(implements_clause (_) @super)
(extends_type_clause type: (_) @super)
(method_definition name: (_) @name) @method
(method_definition return_type: (type_annotation (_) @returns))
(method_signature name: (_) @name) @method
(method_signature return_type: (type_annotation (_) @returns))
(abstract_method_signature name: (_) @name) @method
(abstract_method_signature return_type: (type_annotation (_) @returns))
(function_declaration name: (_) @name) @method
(function_declaration return_type: (type_annotation (_) @returns))
(generator_function_declaration name: (_) @name) @method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) @method
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
(arrow_function return_type: (type_annotation (_) @returns))
(variable_declarator name: (identifier) @name type: (type_annotation (_) @type)? value: (_)? @value) @var
(public_field_definition name: (_) @name type: (type_annotation (_) @type)? value: (_)? @value) @var
(required_parameter pattern: (identifier) @name type: (type_annotation (_) @type)) @var
(optional_parameter pattern: (identifier) @name type: (type_annotation (_) @type)) @var
(required_parameter (accessibility_modifier) pattern: (identifier) @name type: (type_annotation (_) @type)) @field
(property_signature name: (_) @name type: (type_annotation (_) @type)) @var
(call_expression function: (identifier) @name) @call
(call_expression function: (member_expression object: (_) @on property: (_) @name)) @call
(new_expression constructor: (_) @type) @new
`;

/** Python. */
export const python = `
(class_definition name: (_) @name) @class
(class_definition superclasses: (argument_list [(identifier) (attribute)] @super))
(function_definition name: (_) @name) @method
(function_definition return_type: (type) @returns)
(assignment left: (identifier) @name type: (type)? @type right: (_)? @value) @var
(assignment left: (attribute object: (identifier) @self attribute: (identifier) @name)
  type: (type)? @type right: (_)? @value (#eq? @self "self")) @field
(typed_parameter . (identifier) @name type: (type) @type) @var
(typed_default_parameter name: (_) @name type: (type) @type) @var
(call function: (identifier) @name) @call
(call function: (attribute object: (_) @on attribute: (_) @name)) @call
`;
