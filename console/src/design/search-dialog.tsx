import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { Dialog } from './dialog.tsx'
import { TextInput } from './field.tsx'
import { Icons } from './icons.tsx'
import { Problem } from './notice.tsx'
import styles from './search-dialog.module.css'

export interface SearchChoice {
  readonly key: string
  readonly title: string
  readonly detail: string
  readonly path: string
}

interface Found {
  readonly choices: readonly SearchChoice[]
  readonly isFetching: boolean
  readonly error: Error | null
}

interface SearchDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly label: string
  readonly hint: string
  readonly maxLength: number
  /** What is found by a text, in the order of the list; all pages without one. */
  readonly useFound: (wanted: string) => Found
}

/** Opens the search by Ctrl-K or ⌘K. */
export function useSearchKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // Not over another dialog, which may hold something unsaved.
      if (!document.querySelector('dialog[open]')) open()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [open])
}

export function SearchDialog({ isOpen, onClose, ...box }: SearchDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('search.open')} isOpen={isOpen} onClose={onClose}>
      <SearchBox {...box} onDone={onClose} />
    </Dialog>
  )
}

type SearchBoxProps = Omit<SearchDialogProps, 'isOpen' | 'onClose'> & { readonly onDone: () => void }

function SearchBox({ label, hint, maxLength, useFound, onDone }: SearchBoxProps) {
  const { t } = useTranslation()
  const id = useId()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [isEager, setEager] = useState(false)
  const wanted = useSettled(text.trim())
  const { choices, isFetching, error } = useFound(wanted)
  const isSearching = isFetching || wanted !== text.trim()
  const current = Math.min(at, choices.length - 1)
  const chosen = choices[current]

  function go({ path }: SearchChoice) {
    onDone()
    navigate(path)
  }
  // An ID was pasted, and Enter pressed before it was found.
  useEffect(() => {
    if (!isEager || isSearching) return
    setEager(false)
    if (!chosen) return
    onDone()
    navigate(chosen.path)
  }, [isEager, isSearching, chosen, onDone, navigate])
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && choices.length > 0) {
      event.preventDefault()
      setAt((current + step + choices.length) % choices.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (isSearching) setEager(true)
      else if (chosen) go(chosen)
    }
  }
  return (
    <div className={styles.box}>
      <TextInput
        label={label}
        description={hint}
        leftSection={<Icons.search size={16} />}
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen ? `${id}-${current}` : undefined}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
          setEager(false)
        }}
        onKeyDown={onKeyDown}
      />
      {error && <Problem error={error} />}
      <p role="status" className={choices.length > 0 ? 'visually-hidden' : styles.none}>
        {choices.length > 0
          ? t('search.count', { count: choices.length })
          : !error && t(isSearching ? 'search.searching' : 'search.none')}
      </p>
      <div id={`${id}-list`} role="listbox" aria-label={t('search.results')} className={styles.list}>
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

const settledMs = 150

/** The text after a short pause in typing, so that not every letter is a request. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

interface NamedPage {
  readonly name: string
  readonly path: string
  readonly menu: { readonly en: string; readonly zh: string }
}

/** Pages whose name contains the text, in either language; all of them without one. */
export function usePageChoices(wanted: string, pages: readonly NamedPage[]): SearchChoice[] {
  const { t, i18n } = useTranslation()
  const part = wanted.toLowerCase()
  return pages
    .filter(({ menu: { en, zh } }) => `${en}\n${zh}`.toLowerCase().includes(part))
    .map(({ name, path, menu }) => ({
      ...{ key: name, path, detail: t('search.page') },
      title: i18n.language === 'en' ? menu.en : menu.zh,
    }))
}
