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
/** What fits next to the menu on a common laptop. */
const usual: LogPreferences = { columns: ['model', 'latency', 'error', 'key'], isCompact: false }

export const useLogPreferences = () => useStored(storageKey, lookOf)

function lookOf(stored: Partial<LogPreferences>): LogPreferences {
  const { columns, isCompact } = stored
  if (!Array.isArray(columns)) return usual
  return { columns: optionalColumns.filter((name) => columns.includes(name)), isCompact: isCompact === true }
}

export const chartSplits = ['operation', 'key', 'model'] as const
export const chartForms = ['bars', 'line'] as const

/** How the chart above the log looks. */
interface ChartLook {
  readonly split: (typeof chartSplits)[number]
  readonly form: (typeof chartForms)[number]
  readonly isFolded: boolean
}

export const useChartLook = () => useStored('console-usage-chart', chartLookOf)

const chartLookOf = ({ split, form, isFolded }: Partial<ChartLook>): ChartLook => ({
  split: chartSplits.find((known) => known === split) ?? 'operation',
  form: form === 'line' ? 'line' : 'bars',
  isFolded: isFolded !== false,
})

/** A choice of this browser. `read` makes sense of whatever is stored. */
function useStored<T>(key: string, read: (stored: Partial<T>) => T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => {
    try {
      return read(JSON.parse(localStorage.getItem(key) ?? '{}'))
    } catch {
      return read({})
    }
  })
  return [
    value,
    (next) => {
      setValue(next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Storage is blocked: the choice lasts until the page is left.
      }
    },
  ]
}
