import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useCreditsText } from '../../design/amount.tsx'
import { Button } from '../../design/button.tsx'
import { Textarea } from '../../design/field.tsx'
import { Notice } from '../../design/notice.tsx'
import { Segments } from '../../design/segments.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { useFormat } from '../../format/format.ts'
import type { PublishedContract, PublishedOperation } from './contract-query.ts'
import { useFoundItems } from './found-items.ts'
import { Fields } from './object-field.tsx'
import styles from './request-form.module.css'
import { type JsonObject, resolved } from './schema.ts'
import { SchemaField } from './schema-field.tsx'
import type { OpenDraft } from './use-draft.ts'

interface RequestFormProps {
  readonly published: PublishedOperation
  readonly components: PublishedContract['components']['schemas']
  readonly draft: OpenDraft
  readonly isRunning: boolean
  readonly isKeyMissing: boolean
  readonly onSend: () => void
  /** What is chosen before the request. */
  readonly children: ReactNode
}

export function RequestForm(props: RequestFormProps) {
  const { published, components, draft, isRunning, isKeyMissing, onSend, children } = props
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const { 'x-credits': credits, 'x-scope': scope } = published
  return (
    <Sheet
      title={t('playground.request')}
      actions={
        <Segments
          aria-label={t('playground.request')}
          value={draft.text === null ? 'form' : 'json'}
          onChange={draft.showAs}
          data={[
            { value: 'form', label: t('playground.asForm') },
            { value: 'json', label: t('playground.asJson') },
          ]}
        />
      }
    >
      {children}
      <p className={styles.price}>
        {t('playground.price', { credits: creditsText(credits), yuan: format.yuanOfCredits(credits), scope })}
      </p>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!draft.isBroken) onSend()
        }}
      >
        <SearchFirst published={published} components={components} />
        <DraftFields published={published} components={components} draft={draft} />
        <div className={styles.actions}>
          <Button type="submit" size="md" loading={isRunning} disabled={draft.isBroken}>
            {t('playground.run', { credits: creditsText(credits) })}
          </Button>
          <Button variant="subtle" size="md" onClick={draft.reset}>
            {t('playground.reset')}
          </Button>
          {isKeyMissing && (
            <span role="alert" className={styles.missing}>
              {t('playground.keyMissing')}
            </span>
          )}
        </div>
      </form>
    </Sheet>
  )
}

/** Items can only be named after a search has shown them to the project. */
function SearchFirst({ published, components }: Pick<RequestFormProps, 'published' | 'components'>) {
  const { t } = useTranslation()
  const hasFound = useFoundItems().length > 0
  const { properties = {} } = resolved(published.requestBody.content['application/json'].schema, components)
  if (hasFound || !('itemRef' in properties || 'itemRefs' in properties)) return null
  return (
    <Notice actions={<Link href="/playground/pick.search">{t(`operations.${'pick.search'}`)}</Link>}>
      {t('playground.searchFirst')}
    </Notice>
  )
}

function DraftFields({ published, components, draft }: Pick<RequestFormProps, 'published' | 'components' | 'draft'>) {
  const { t } = useTranslation()
  if (draft.text === null) {
    return (
      <Fields
        schema={resolved(published.requestBody.content['application/json'].schema, components)}
        components={components}
        value={draft.body}
        isRequired
        onChange={(next) => draft.change((next ?? {}) as JsonObject)}
        Field={SchemaField}
      />
    )
  }
  return (
    <Textarea
      label="JSON"
      minRows={6}
      maxRows={24}
      inputClassName={styles.json}
      spellCheck={false}
      value={draft.text}
      onChange={(event) => draft.changeText(event.currentTarget.value)}
      error={draft.isBroken && t('playground.jsonWrong')}
    />
  )
}
