import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { Checkbox, CheckboxGroup, Select, Textarea, toggled } from '../../design/field.tsx'
import styles from './playground.module.css'
import { type FieldProps, type Json, type JsonObject, resolved, startOf } from './schema.ts'
import { ItemSuggestions, useFieldChoices, useHint, ValueField } from './value-field.tsx'

function SchemaField(props: FieldProps) {
  const schema = resolved(props.schema, props.components)
  const outer = { ...props, schema }
  if (schema.oneOf) return <VariantField {...outer} value={props.value as JsonObject | undefined} />
  if (schema.type === 'object') return <ObjectField {...outer} value={props.value as JsonObject | undefined} />
  if (schema.type === 'array') return <ArrayField {...outer} value={props.value as Json[] | undefined} />
  return <ValueField {...props} schema={schema} />
}

type OuterFieldProps<Value> = Omit<FieldProps, 'value'> & { readonly value: Value | undefined }
type ObjectProps = OuterFieldProps<JsonObject>

/** A named group of fields; omitted from the request while empty. */
function ObjectField(props: ObjectProps) {
  const { name, schema, value, isRequired, onChange } = props
  const { t } = useTranslation()
  const isItem = schema.title === 'ItemRef'
  return (
    <fieldset className={styles.group}>
      <legend>{isRequired ? name : `${name}${t('common.note', { text: t('common.optional') })}`}</legend>
      {isItem && <ItemSuggestions onChoose={onChange} />}
      <Fields {...props} value={value ?? {}} />
    </fieldset>
  )
}

type FieldsProps = Pick<ObjectProps, 'schema' | 'components' | 'isRequired' | 'onChange'> & {
  readonly value: JsonObject
}

export function Fields({ schema, components, value, isRequired, onChange }: FieldsProps) {
  const { withoutForeignModel } = useFieldChoices()
  return (
    <div className={styles.fields}>
      {Object.entries(schema.properties ?? {}).map(([field, fieldSchema]) => (
        <SchemaField
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

/** One of several shapes with a discriminator. */
function VariantField({ name, schema, value, onChange, components }: ObjectProps) {
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
      />
    </fieldset>
  )
}

/** In the order of the contract; unknown fields come last. */
function inOrder(properties: object, value: JsonObject): JsonObject {
  const names = Object.keys(properties)
  const rank = (name: string) => (names.includes(name) ? names.indexOf(name) : -1)
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => rank(a) - rank(b)))
}

type ArrayProps = OuterFieldProps<readonly Json[]>

function ArrayField(props: ArrayProps) {
  const items = resolved(props.schema.items!, props.components)
  if (items.enum) return <ChoiceList {...props} choices={items.enum} />
  return items.type === 'string' ? <TextLines {...props} /> : <Rows {...props} />
}

function useLabel({ name, isRequired }: ArrayProps): string {
  const { t } = useTranslation()
  return isRequired ? name : `${name}${t('common.note', { text: t('common.optional') })}`
}

function ChoiceList({ choices, ...props }: ArrayProps & { choices: readonly string[] }) {
  const chosen = (props.value ?? []).map(String)
  function toggle(choice: string) {
    const values = toggled(chosen, choice)
    props.onChange(values.length === 0 && !props.isRequired ? undefined : values)
  }
  return (
    <CheckboxGroup label={useLabel(props)} description={useHint()(props.name, props.schema)}>
      <div className={styles.choices}>
        {choices.map((choice) => (
          <Checkbox
            key={choice}
            label={<code>{choice}</code>}
            checked={chosen.includes(choice)}
            onChange={() => toggle(choice)}
          />
        ))}
      </div>
    </CheckboxGroup>
  )
}

function TextLines(props: ArrayProps) {
  const { t } = useTranslation()
  const { schema, value, isRequired, onChange } = props
  return (
    <Textarea
      label={useLabel(props)}
      description={[useHint()(props.name, schema), t('playground.perLine')].filter(Boolean).join(' ')}
      minRows={2}
      value={(value ?? []).join('\n')}
      onChange={({ currentTarget: { value: typed } }) =>
        onChange(typed === '' && !isRequired ? undefined : typed.split('\n'))
      }
    />
  )
}

function Rows(props: ArrayProps) {
  const { t } = useTranslation()
  const { name, schema, components, value = [], onChange } = props
  const hint = useHint()(name, schema)
  const isFull = value.length >= (schema.maxItems ?? 10)
  return (
    <fieldset className={styles.group}>
      <legend>{useLabel(props)}</legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      {value.map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified only by position.
        <div key={i} className={styles.row}>
          <SchemaField
            name={t('playground.fieldOf', { field: name, number: i + 1 })}
            schema={schema.items!}
            components={components}
            value={item}
            isRequired
            onChange={(changed) => onChange(value.with(i, changed ?? {}))}
          />
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => onChange(value.toSpliced(i, 1))}
            aria-label={`${t('playground.remove')}: ${t('playground.fieldOf', { field: name, number: i + 1 })}`}
          >
            {t('playground.remove')}
          </Button>
        </div>
      ))}
      {!isFull && (
        <div>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onChange([...value, startOf(schema.items!, components)])}
          >
            {t('playground.add')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
