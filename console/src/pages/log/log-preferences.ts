import { useState } from 'react'

/** The columns that can be left out, in the order of the table. */
export const optionalColumns = ['model', 'latency', 'tokens', 'error', 'key', 'charge'] as const
export type OptionalColumn = (typeof optionalColumns)[number]

/** How the log looks: a choice of this browser. */
export interface LogPreferences {
  readonly columns: readonly OptionalColumn[]
  readonly isCompact: boolean
}

const storageKey = 'console-log-look'
/** All but the last fit next to the menu on a common laptop. */
const usual: LogPreferences = { columns: optionalColumns.slice(0, -1), isCompact: false }

export function useLogPreferences(): [LogPreferences, (look: LogPreferences) => void] {
  const [look, setLook] = useState(storedLook)
  return [
    look,
    (next) => {
      setLook(next)
      try {
        localStorage.setItem(storageKey, JSON.stringify(next))
      } catch {
        // Storage is blocked: the choice lasts until the page is left.
      }
    },
  ]
}

function storedLook(): LogPreferences {
  try {
    const { columns, isCompact } = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    if (!Array.isArray(columns)) return usual
    return { columns: optionalColumns.filter((name) => columns.includes(name)), isCompact: isCompact === true }
  } catch {
    return usual
  }
}
