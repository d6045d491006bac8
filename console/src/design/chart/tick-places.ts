import { weekOf } from '../../format/calendar.ts'
import type { Span } from './days.ts'

/** A date and the air around it. */
const labelPx = 64
const fewBars = 14

/** Below which bars a date stands: at each Monday, or at each bar where there are few, as far as there is room. */
export function tickPlaces(bars: readonly Span[], widthPx: number): number[] {
  const barPx = widthPx / bars.length
  const isWeekly = bars.length > fewBars && bars.every(({ from, to }) => from === to)
  const places: number[] = []
  for (const [i, { from }] of bars.entries()) {
    if (isWeekly && from !== weekOf(from)) continue
    const hasRoom = (i - (places.at(-1) ?? Number.NEGATIVE_INFINITY)) * barPx >= labelPx
    const fits = (bars.length - i) * barPx >= labelPx
    if (hasRoom && fits) places.push(i)
  }
  return places
}
