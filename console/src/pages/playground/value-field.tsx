import { createContext, useContext, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { Catalog } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Select, Textarea, TextInput } from '../../design/field.tsx'
import { plainDigits } from '../../format/digits.ts'
import styles from './playground.module.css'
import type { FieldProps, Json, JsonObject, Schema } from './schema.ts'

/** A single value: fixed, chosen from a list, a number or a text. */
export function ValueField(props: FieldProps) {
  const { t } = useTranslation()
  const { name, schema, isRequired } = props
  const hint = useHint()(name, schema, isRequired)
  const choices = useFieldChoices()
  const label = isRequired ? name : `${name}${t('common.note', { text: t('common.optional') })}`
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
      // Anything else is sent unchanged: the gateway's response says what is wrong.
      onChange={({ currentTarget: { value } }) => {
        const typed = plainDigits(value)
        props.onChange(typed === '' ? undefined : /^-?\d{1,15}$/.test(typed) ? Number(typed) : typed)
      }}
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

interface ModelChoice {
  readonly value: string
  readonly label: string
}

const CatalogContext = createContext<Catalog | null>(null)
export const FieldChoices = CatalogContext.Provider

/** Choices that this installation offers beyond the contract. */
export function useFieldChoices() {
  const { t } = useTranslation()
  const catalog = useContext(CatalogContext)
  const modelsOf = (provider: unknown) =>
    catalog?.modelProviders.find((known) => known.provider === (provider ?? catalog.defaultModelProvider))

  /** Unavailable names are marked, not hidden: calling one shows what a program would get. */
  function labelOf(value: string): string {
    const known = [...(catalog?.modelProviders ?? []), ...(catalog?.shops ?? [])].find((one) => one.provider === value)
    return known && !known.enabled ? `${value}${t('common.note', { text: t('pricing.disabled') })}` : value
  }

  return {
    defaultProvider: (names: readonly string[] | undefined): string | null =>
      catalog && names?.includes(catalog.defaultModelProvider) ? catalog.defaultModelProvider : null,
    labelOf,
    /** The models of the chosen provider; null for other fields or unknown providers. */
    models(name: string, { provider, model }: JsonObject): readonly ModelChoice[] | null {
      const known = name === 'model' ? modelsOf(provider) : undefined
      if (!known || known.models.length === 0) return null
      const typed = typeof model === 'string' && model !== '' && !known.models.includes(model) ? [model] : []
      return [...known.models, ...typed].map((value) => ({ value, label: value }))
    },
    defaultModel: (provider: unknown): string | null => modelsOf(provider)?.defaultModel ?? null,
    /** Drops a model that belongs to another provider. */
    withoutForeignModel(changed: string, value: JsonObject): JsonObject {
      const known = changed === 'provider' && typeof value.model === 'string' ? modelsOf(value.provider) : undefined
      if (!known || known.models.includes(value.model as string)) return value
      const { model: _, ...others } = value
      return others
    },
  }
}

type HintText = (name: string, schema: Schema, isRequired?: boolean) => string | undefined

/** The hint of a field: translated if the console knows it, else the contract's description. */
export function useHint(): HintText {
  const { t } = useTranslation()
  const { defaultProvider } = useFieldChoices()
  return (name, { description, enum: names }, isRequired = false) => {
    if (name === 'provider') {
      const usual = defaultProvider(names)
      // It describes the default, which a required field does not have.
      if (isRequired) return undefined
      return usual ? t('playground.hints.defaultsTo', { name: usual }) : t('playground.hints.shop')
    }
    // Without the error code, which the response will show.
    const published = description?.replace(/ ?Else `[A-Z_]+`\.$/, '') ?? ''
    return t(`playground.hints.${name as 'prompt'}`, { defaultValue: published }) || undefined
  }
}

const names = ['a', 'b', 'c'] as const

function TextSamples({ field, onChoose }: { field: string; onChoose: (text: string) => void }) {
  const { t } = useTranslation()
  if (field !== 'prompt' && field !== 'query') return null
  return (
    <div className={styles.samples}>
      <span className={styles.samplesLabel}>{t('playground.tryText')}</span>
      {names.map((name) => {
        const text = t(`playground.samples.${field}.${name}`)
        return (
          <button key={name} type="button" className={styles.sample} onClick={() => onChoose(text)}>
            {text}
          </button>
        )
      })}
    </div>
  )
}

/** Buttons for the items of the latest search. */
export function ItemSuggestions({ onChoose }: { onChoose: (itemRef: Json) => void }) {
  const { t } = useTranslation()
  const items = useFoundItems()
  if (items.length === 0) return null
  return (
    <div className={styles.suggestions}>
      <span className={styles.suggestionsLabel}>{t('playground.useItem')}</span>
      {items.map(({ title, itemRef }) => (
        <Button key={title} size="compact-xs" variant="default" onClick={() => onChoose(itemRef)}>
          {title}
        </Button>
      ))}
    </div>
  )
}

interface FoundItem {
  readonly title: string
  readonly itemRef: Json
}

let found: readonly FoundItem[] = []
const listeners = new Set<() => void>()

/** The items of the latest search, offered by operations that need items. */
export function keepItemsOf(response: unknown): void {
  const items = itemsIn(response)
  if (items.length === 0) return
  found = items
  for (const listener of listeners) listener()
}

export const useFoundItems = (): readonly FoundItem[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => found,
  )

function itemsIn(response: unknown): FoundItem[] {
  const data = (response as { data?: { items?: unknown; result?: { result?: { items?: unknown } } } })?.data
  const items = data?.items ?? data?.result?.result?.items
  return Array.isArray(items) ? items.filter((item) => item?.itemRef && typeof item.title === 'string') : []
}
