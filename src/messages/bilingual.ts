export interface Bilingual<T> {
  readonly zh: T
  readonly en: T
}

const eightHoursMs = 8 * 3_600_000

export const beijingTime = (at: string): string =>
  new Date(Date.parse(at) + eightHoursMs).toISOString().slice(0, 16).replace('T', ' ')
