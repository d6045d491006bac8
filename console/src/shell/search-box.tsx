import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { ask } from '../api/ask.ts'
import { gateway } from '../api/gateway.ts'
import type { FoundThing } from '../api/types.ts'
import { IconButton } from '../design/button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { TextInput } from '../design/field.tsx'
import { Icons } from '../design/icons.tsx'
import { menuOf } from '../pages/pages.ts'
import styles from './search-box.module.css'

/** As many as fit without scrolling; a longer text finds fewer. */
const maxShown = 8

interface Choice {
  readonly key: string
  readonly title: string
  readonly detail: string
  readonly path: string
}

/** Ctrl-K or ⌘K, or the button next to the bell. */
export function SearchButton() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // Not over another dialog, which may hold something unsaved.
      if (!document.querySelector('dialog[open]')) setOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <IconButton aria-label={t('search.open')} title={`${t('search.open')} (Ctrl K)`} onClick={() => setOpen(true)}>
        <Icons.search />
      </IconButton>
      <Dialog title={t('search.open')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <SearchBox onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function SearchBox({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const wanted = useDeferredValue(text.trim())
  const { data, isFetching } = useQuery({
    queryKey: ['search', wanted],
    queryFn: () => ask(() => gateway.GET('/console/search', { params: { query: { q: wanted } } })),
    enabled: wanted.length >= 2,
  })
  const found = useChoices(data?.items ?? [])
  const pages = usePages(wanted)
  const choices = [...(wanted.length >= 2 ? found : []), ...pages].slice(0, maxShown)
  const current = Math.min(at, choices.length - 1)

  function go({ path }: Choice) {
    onDone()
    navigate(path)
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && choices.length > 0) {
      event.preventDefault()
      setAt((current + step + choices.length) % choices.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && choices[current]) {
      event.preventDefault()
      go(choices[current])
    }
  }
  return (
    <div className={styles.box}>
      <TextInput
        label={t('search.label')}
        description={t('search.hint')}
        leftSection={<Icons.search size={16} />}
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={choices[current] ? `${id}-${current}` : undefined}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <p role="status" className={choices.length > 0 ? 'visually-hidden' : styles.none}>
        {choices.length > 0 ? t('search.count', { count: choices.length }) : !isFetching && t('search.none')}
      </p>
      <div id={`${id}-list`} role="listbox" aria-label={t('search.results')}>
        {choices.map((choice, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go to the field, which names the active option.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field.
          <div
            key={choice.key}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === current}
            className={styles.option}
            onClick={() => go(choice)}
          >
            <span>{choice.title}</span>
            <span className={styles.detail}>{choice.detail}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

/** Where each thing is shown. */
function useChoices(items: readonly FoundThing[]): Choice[] {
  const { t, i18n } = useTranslation()
  const pathOf = ({ kind, id, chargeId }: FoundThing) => {
    if (chargeId !== null) return `/usage?call=${chargeId}`
    if (kind === 'order') return `/recharge/${id}`
    return kind === 'key' ? `/keys?edit=${id}` : '/events'
  }
  const nameOf = ({ kind, name, id }: FoundThing) => {
    const operation = `operations.${name}`
    if ((kind === 'charge' || kind === 'request') && i18n.exists(operation))
      return t(operation as 'operations.model.chat')
    return kind === 'key' && name ? name : id
  }
  return items.map((item) => ({
    key: `${item.kind} ${item.id}`,
    title: nameOf(item),
    detail: `${t(`search.kinds.${item.kind}`)} · ${item.id}`,
    path: pathOf(item),
  }))
}

/** Pages and actions whose name contains the text; all of them without one. */
function usePages(wanted: string): Choice[] {
  const { t, i18n } = useTranslation()
  const actions = [
    { key: 'new-key', title: t('search.newKey'), path: '/keys?new=1' },
    { key: 'add-credits', title: t('search.addCredits'), path: '/recharge' },
    { key: 'failed', title: t('search.failedCalls'), path: '/usage?state=released' },
  ].map((action) => ({ ...action, detail: t('search.action') }))
  const pages = (['money', 'building', 'you'] as const).flatMap((group) =>
    menuOf(group).map(({ name, menu, path }) => ({
      key: name,
      title: i18n.language === 'en' ? menu.en : menu.zh,
      // Both languages find a page.
      other: i18n.language === 'en' ? menu.zh : menu.en,
      detail: t('search.page'),
      path,
    })),
  )
  const part = wanted.toLowerCase()
  return [...actions, ...pages].filter(
    (choice) =>
      choice.title.toLowerCase().includes(part) || ('other' in choice && choice.other.toLowerCase().includes(part)),
  )
}
