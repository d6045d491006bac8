import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { Checkbox, CheckboxGroup, Textarea, toggled } from '../../design/field.tsx'
import type { OuterFieldProps } from './field-props.ts'
import { type Json, resolved, startOf } from './schema.ts'
import styles from './schema-field.module.css'
import { useHint } from './use-hint.ts'

type ArrayProps = OuterFieldProps<readonly Json[]>

export function ArrayField(props: ArrayProps) {
  const items = resolved(props.schema.items!, props.components)
  if (items.enum) return <ChoiceList {...props} choices={items.enum} />
  return items.type === 'string' ? <TextLines {...props} /> : <Rows {...props} />
}

function useLabel({ name, isRequired }: ArrayProps): string {
  const { t } = useTranslation()
  return isRequired ? name : `${name} (${t('common.optional')})`
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
  const { name, schema, components, value = [], onChange, Field } = props
  const hint = useHint()(name, schema)
  const isFull = value.length >= (schema.maxItems ?? 10)
  return (
    <fieldset className={styles.group}>
      <legend>{useLabel(props)}</legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      {value.map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place.
        <div key={i} className={styles.row}>
          <Field
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
