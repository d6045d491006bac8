import { useTranslation } from 'react-i18next'
import { Select } from '../../design/field.tsx'
import { useFieldChoices } from './field-choices.tsx'
import type { OuterFieldProps } from './field-props.ts'
import { ItemSuggestions } from './item-suggestions.tsx'
import { type JsonObject, resolved, startOf } from './schema.ts'
import styles from './schema-field.module.css'

type ObjectProps = OuterFieldProps<JsonObject>

/** A named group of fields. One without any value is left out. */
export function ObjectField(props: ObjectProps) {
  const { name, schema, value, isRequired, onChange } = props
  const { t } = useTranslation()
  const isItem = schema.title === 'ItemRef'
  return (
    <fieldset className={styles.group}>
      <legend>{isRequired ? name : `${name} (${t('common.optional')})`}</legend>
      {isItem && <ItemSuggestions onChoose={onChange} />}
      <Fields {...props} value={value ?? {}} />
    </fieldset>
  )
}

type FieldsProps = Pick<ObjectProps, 'schema' | 'components' | 'isRequired' | 'onChange' | 'Field'> & {
  readonly value: JsonObject
}

/** The fields of an object, without a frame. */
export function Fields({ schema, components, value, isRequired, onChange, Field }: FieldsProps) {
  const { withoutForeignModel } = useFieldChoices()
  return (
    <div className={styles.fields}>
      {Object.entries(schema.properties ?? {}).map(([field, fieldSchema]) => (
        <Field
          key={field}
          name={field}
          schema={fieldSchema}
          components={components}
          value={value[field]}
          siblings={value}
          isRequired={schema.required?.includes(field) ?? false}
          onChange={(changed) => {
            const { [field]: _, ...others } = value
            const whole = changed === undefined ? others : inOrder(schema.properties!, { ...others, [field]: changed })
            const next = withoutForeignModel(field, whole)
            onChange(Object.keys(next).length === 0 && !isRequired ? undefined : next)
          }}
        />
      ))}
    </div>
  )
}

/** One of several shapes, told apart by one of their fields. */
export function VariantField({ name, schema, value, onChange, components, Field }: ObjectProps) {
  const by = schema.discriminator!.propertyName
  const variants = schema.oneOf!.map((variant) => resolved(variant, components))
  const nameOf = (variant: (typeof variants)[number]) => variant.properties![by]!.const!
  const current = variants.find((variant) => nameOf(variant) === value?.[by]) ?? variants[0]!
  const { [by]: _, ...otherProperties } = current.properties!
  return (
    <fieldset className={styles.group}>
      <legend>{name}</legend>
      <Select
        label={by}
        value={nameOf(current)}
        onChange={(event) => {
          const chosen = variants.find((variant) => nameOf(variant) === event.currentTarget.value)!
          onChange(startOf(chosen, components))
        }}
        data={variants.map(nameOf)}
      />
      <Fields
        schema={{ ...current, properties: otherProperties }}
        components={components}
        value={value ?? {}}
        isRequired
        onChange={onChange}
        Field={Field}
      />
    </fieldset>
  )
}

/** In the order of the contract, whichever was typed first; a field that it does not know stays at the end. */
function inOrder(properties: object, value: JsonObject): JsonObject {
  const names = Object.keys(properties)
  const rank = (name: string) => (names.includes(name) ? names.indexOf(name) : -1)
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => rank(a) - rank(b)))
}
