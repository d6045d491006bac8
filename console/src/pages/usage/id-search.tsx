import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextInput } from '../../design/field.tsx'
import { Icons } from '../../design/icons.tsx'
import { idPattern } from './usage-filters.ts'

/** Finds one call by an id that somebody wrote down: it is pasted whole, or typed and sent with Enter. */
export function IdSearch({ id, onSearch }: { id: string; onSearch: (id: string) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(id)
  const [isWrong, setWrong] = useState(false)

  function search(text: string) {
    const wanted = text.trim()
    const isId = wanted === '' || idPattern.test(wanted)
    setWrong(!isId)
    if (isId && wanted !== id) onSearch(wanted)
  }
  return (
    <TextInput
      label={t('usage.search')}
      placeholder="chg_… / req_…"
      leftSection={<Icons.search size={16} />}
      spellCheck={false}
      autoComplete="off"
      value={typed}
      error={isWrong && t('usage.searchWrong')}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        setWrong(false)
        if (event.currentTarget.value === '') search('')
      }}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text').trim()
        if (!idPattern.test(pasted)) return
        event.preventDefault()
        setTyped(pasted)
        search(pasted)
      }}
      onBlur={() => search(typed)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(typed)
      }}
    />
  )
}
