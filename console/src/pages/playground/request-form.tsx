import { Button, SegmentedControl, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCreditsText } from '../../design/amount.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { useFormat } from '../../format/format.ts'
import type { PublishedContract, PublishedOperation } from './contract-query.ts'
import { Fields } from './object-field.tsx'
import styles from './request-form.module.css'
import { type JsonObject, resolved } from './schema.ts'
import type { Draft } from './use-draft.ts'

interface RequestFormProps {
  readonly published: PublishedOperation
  readonly components: PublishedContract['components']['schemas']
  readonly draft: Draft
  readonly isRunning: boolean
  readonly isKeyMissing: boolean
  readonly onSend: () => void
}

export function RequestForm({ published, components, draft, isRunning, isKeyMissing, onSend }: RequestFormProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const { 'x-credits': credits, 'x-scope': scope } = published
  return (
    <Sheet
      title={t('playground.request')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('playground.request')}
          value={draft.text === null ? 'form' : 'json'}
          onChange={(chosen) => draft.showAs(chosen as 'form' | 'json')}
          data={[
            { value: 'form', label: t('playground.asForm') },
            { value: 'json', label: t('playground.asJson') },
          ]}
        />
      }
    >
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
        <DraftFields published={published} components={components} draft={draft} />
        <div className={styles.actions}>
          <Button type="submit" size="md" loading={isRunning} disabled={draft.isBroken}>
            {t('playground.run', { credits: creditsText(credits) })}
          </Button>
          <Button variant="default" size="md" onClick={draft.reset}>
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
      />
    )
  }
  return (
    <Textarea
      label="JSON"
      autosize
      minRows={6}
      maxRows={24}
      classNames={{ input: styles.json! }}
      spellCheck={false}
      value={draft.text}
      onChange={(event) => draft.changeText(event.currentTarget.value)}
      error={draft.isBroken && t('playground.jsonWrong')}
    />
  )
}
