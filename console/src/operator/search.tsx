import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ask } from '../api/ask.ts'
import { IconButton } from '../design/button.tsx'
import { Icons } from '../design/icons.tsx'
import { type SearchChoice, SearchDialog, usePageChoices, useSearchKey } from '../design/search-dialog.tsx'
import { operatorApi } from './api/client.ts'
import type { LookedUpItem } from './api/types.ts'
import styles from './operator-shell.module.css'
import { searchOf } from './pages/accounts/search-of.ts'
import { menuGroups, menuOf } from './pages/pages.ts'

/** The search over everything that a customer can quote. */
export function useSearch() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const open = useCallback(() => setOpen(true), [])
  useSearchKey(open)
  return {
    /** Above the menu of a wide window. */
    field: (
      <button type="button" className={styles.search} onClick={open}>
        <Icons.search size={16} />
        <span>{t('operator.search.placeholder')}</span>
        <kbd>Ctrl K</kbd>
      </button>
    ),
    /** Next to the menu button of a narrow one. */
    button: (
      <IconButton className={styles.searchButton} aria-label={t('search.open')} onClick={open}>
        <Icons.search />
      </IconButton>
    ),
    dialog: (
      <SearchDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        label={t('operator.search.label')}
        hint={t('operator.search.hint')}
        maxLength={254}
        useFound={useFound}
      />
    ),
  }
}

function useFound(wanted: string) {
  const isWanted = idStart.test(wanted) || searchOf(wanted) !== null
  const { data, isFetching, error } = useQuery({
    queryKey: ['search', wanted],
    queryFn: () => lookUp(wanted),
    enabled: isWanted,
  })
  const found = useChoices(isWanted ? (data ?? []) : [])
  const pages = usePageChoices(
    wanted,
    menuGroups.flatMap((group) => menuOf(group)),
  )
  return { choices: [...found, ...pages], isFetching, error }
}

const idStart = /^[a-z]{3}_[0-9A-Za-z]*$/

/** Phone numbers, emails and keys are never in a URL. */
async function lookUp(text: string): Promise<readonly LookedUpItem[]> {
  const found = idStart.test(text)
    ? ask(() => operatorApi.GET('/search', { params: { query: { q: text } } }))
    : ask(() => operatorApi.POST('/search', { body: { q: text } }))
  return (await found).items
}

function useChoices(items: readonly LookedUpItem[]): SearchChoice[] {
  const { t } = useTranslation()
  const titleOf = ({ kind, label, id }: LookedUpItem) => {
    if (kind === 'charge' || kind === 'request')
      return t(`operations.${label as 'model.chat'}`, { defaultValue: label })
    return kind === 'job' ? id : label
  }
  return items.map((item) => ({
    key: `${item.kind} ${item.id} ${item.path}`,
    title: titleOf(item),
    detail: `${t(`operator.search.kinds.${item.kind}`)} · ${item.id}`,
    path: item.path,
  }))
}
