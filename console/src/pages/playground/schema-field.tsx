import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ArrayField } from './array-field.tsx'
import { useFieldChoices } from './field-choices.tsx'
import { ObjectField, VariantField } from './object-field.tsx'
import { type Json, type JsonObject, resolved, type Schema } from './schema.ts'
import { TextSamples } from './text-samples.tsx'
import { useHint } from './use-hint.ts'

export interface FieldProps {
  readonly name: string
  readonly schema: Schema
  readonly components: Readonly<Record<string, Schema>>
  /** Undefined: the field is left out of the request. */
  readonly value: Json | undefined
  readonly isRequired: boolean
  readonly onChange: (value: Json | undefined) => void
  /** The object that it is a field of. */
  readonly siblings?: JsonObject
}

const longTexts = new Set(['prompt'])

/** The input that a part of the contract asks for. */
export function SchemaField(props: FieldProps) {
  const { t } = useTranslation()
  const { name, components, value, isRequired, onChange } = props
  const schema = resolved(props.schema, components)
  const hint = useHint()(name, schema, isRequired)
  const choices = useFieldChoices()
  const inner = { ...props, schema }
  if (schema.oneOf) return <VariantField {...inner} value={value as JsonObject | undefined} />
  if (schema.type === 'object') return <ObjectField {...inner} value={value as JsonObject | undefined} />
  if (schema.type === 'array') return <ArrayField {...inner} value={value as Json[] | undefined} />

  const label = isRequired ? name : `${name} (${t('common.optional')})`
  const common = { label, description: hint, required: isRequired, withAsterisk: false }
  if (schema.const !== undefined) return <TextInput {...common} value={schema.const} readOnly />
  if (schema.enum) {
    return (
      <NativeSelect
        {...common}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
        data={[
          ...(isRequired ? [] : [{ value: '', label: t('playground.leaveOut') }]),
          ...schema.enum.map((choice) => ({ value: choice, label: choices.labelOf(choice) })),
        ]}
      />
    )
  }
  const models = choices.models(name, props.siblings ?? {})
  if (models) {
    const usual = choices.defaultModel(props.siblings?.provider)
    return (
      <NativeSelect
        {...common}
        description={usual ? t('playground.hints.defaultsTo', { name: usual }) : hint}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
        data={[{ value: '', label: t('playground.leaveOut') }, ...models]}
      />
    )
  }
  const text = value === undefined ? '' : String(value)
  if (schema.type === 'integer') {
    return (
      <TextInput
        {...common}
        inputMode="numeric"
        value={text}
        // What is not a number goes out as it is: the gateway's answer says what is wrong with it.
        onChange={({ currentTarget: { value: typed } }) =>
          onChange(typed === '' ? undefined : /^-?\d{1,15}$/.test(typed) ? Number(typed) : typed)
        }
      />
    )
  }
  const onText = (typed: string) => onChange(typed === '' && !isRequired ? undefined : typed)
  return (
    <div>
      {longTexts.has(name) ? (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          onChange={(e) => onText(e.currentTarget.value)}
        />
      ) : (
        <TextInput {...common} value={text} onChange={(event) => onText(event.currentTarget.value)} />
      )}
      <TextSamples field={name} onChoose={onText} />
    </div>
  )
}
