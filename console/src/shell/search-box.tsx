import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isPersonal } from '../../../src/contract/personal-text.ts'
import { ask } from '../api/ask.ts'
import { gateway } from '../api/gateway.ts'
import type { FoundThing } from '../api/types.ts'
import { IconButton } from '../design/button.tsx'
import { Icons } from '../design/icons.tsx'
import { type SearchChoice, SearchDialog, usePageChoices, useSearchKey } from '../design/search-dialog.tsx'
import { menuOf } from '../pages/pages.ts'

/** As many as fit without scrolling; a longer text finds fewer. */
const maxShown = 8

/** Ctrl-K or ⌘K, or the button next to the bell. */
export function SearchButton() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  useSearchKey(useCallback(() => setOpen(true), []))
  return (
    <>
      <IconButton aria-label={t('search.open')} title={`${t('search.open')} (Ctrl K)`} onClick={() => setOpen(true)}>
        <Icons.search />
      </IconButton>
      <SearchDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        label={t('search.label')}
        hint={t('search.hint')}
        maxLength={64}
        useFound={useFound}
      />
    </>
  )
}

function useFound(wanted: string) {
  const isLong = wanted.length >= 2 && !isPersonal(wanted)
  const { data, isFetching, error } = useQuery({
    queryKey: ['search', wanted],
    queryFn: () => ask(() => gateway.GET('/console/search', { params: { query: { q: wanted } } })),
    enabled: isLong,
  })
  const found = useChoices(data?.items ?? [])
  const actions = useActions(wanted)
  const pages = usePageChoices(
    wanted,
    (['money', 'building', 'you'] as const).flatMap((group) => menuOf(group)),
  )
  return { choices: [...(isLong ? found : []), ...actions, ...pages].slice(0, maxShown), isFetching, error }
}

/** Where each thing is shown. */
function useChoices(items: readonly FoundThing[]): SearchChoice[] {
  const { t, i18n } = useTranslation()
  const pathOf = ({ kind, id, name, chargeId }: FoundThing) => {
    if (chargeId !== null) return `/usage?call=${chargeId}`
    if (kind === 'order' || kind === 'payment') return `/recharge/${kind === 'order' ? id : name}`
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

/** Actions whose name contains the text; all of them without one. */
function useActions(wanted: string): SearchChoice[] {
  const { t } = useTranslation()
  const part = wanted.toLowerCase()
  return [
    { key: 'new-key', title: t('search.newKey'), path: '/keys?new=1' },
    { key: 'add-credits', title: t('search.addCredits'), path: '/recharge' },
    { key: 'failed', title: t('search.failedCalls'), path: '/usage?state=released' },
  ]
    .filter(({ title }) => title.toLowerCase().includes(part))
    .map((action) => ({ ...action, detail: t('search.action') }))
}
