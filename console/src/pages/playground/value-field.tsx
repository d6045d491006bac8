import { useTranslation } from 'react-i18next'
import { Select, Textarea, TextInput } from '../../design/field.tsx'
import { useFieldChoices } from './field-choices.tsx'
import type { FieldProps } from './field-props.ts'
import { TextSamples } from './text-samples.tsx'
import { useHint } from './use-hint.ts'

/** A single value: fixed, chosen from a list, a number or a text. */
export function ValueField(props: FieldProps) {
  const { t } = useTranslation()
  const { name, schema, isRequired } = props
  const hint = useHint()(name, schema, isRequired)
  const choices = useFieldChoices()
  const label = isRequired ? name : `${name} (${t('common.optional')})`
  const common = { ...props, label, description: hint }
  if (schema.const !== undefined) return <TextInput {...shown(common)} value={schema.const} readOnly />
  if (schema.enum) {
    return <Choice {...common} data={schema.enum.map((value) => ({ value, label: choices.labelOf(value) }))} />
  }
  const models = choices.models(name, props.siblings ?? {})
  if (models) {
    const usual = choices.defaultModel(props.siblings?.provider)
    return (
      <Choice
        {...common}
        {...(usual && { description: t('playground.hints.defaultsTo', { name: usual }) })}
        data={models}
      />
    )
  }
  return schema.type === 'integer' ? <WholeNumber {...common} /> : <Text {...common} />
}

type LabelledProps = FieldProps & { readonly label: string; readonly description: string | undefined }

const shown = ({ label, description, isRequired }: LabelledProps) => ({
  label,
  description,
  required: isRequired,
})

interface ChoiceProps extends LabelledProps {
  readonly data: readonly { readonly value: string; readonly label: string }[]
}

function Choice({ data, ...props }: ChoiceProps) {
  const { t } = useTranslation()
  return (
    <Select
      {...shown(props)}
      value={typeof props.value === 'string' ? props.value : ''}
      onChange={(event) => props.onChange(event.currentTarget.value || undefined)}
      data={[...(props.isRequired ? [] : [{ value: '', label: t('playground.leaveOut') }]), ...data]}
    />
  )
}

const textOf = (value: FieldProps['value']) => (value === undefined ? '' : String(value))

function WholeNumber(props: LabelledProps) {
  return (
    <TextInput
      {...shown(props)}
      inputMode="numeric"
      value={textOf(props.value)}
      // What is not a number goes out as it is: the gateway's answer says what is wrong with it.
      onChange={({ currentTarget: { value: typed } }) =>
        props.onChange(typed === '' ? undefined : /^-?\d{1,15}$/.test(typed) ? Number(typed) : typed)
      }
    />
  )
}

const longTexts = new Set(['prompt'])

function Text(props: LabelledProps) {
  const { name, isRequired, onChange } = props
  const change = (typed: string) => onChange(typed === '' && !isRequired ? undefined : typed)
  const input = {
    ...shown(props),
    value: textOf(props.value),
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  }
  return (
    <div>
      {longTexts.has(name) ? <Textarea {...input} minRows={3} maxRows={12} /> : <TextInput {...input} />}
      <TextSamples field={name} onChoose={change} />
    </div>
  )
}
