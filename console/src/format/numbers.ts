/** Both languages group thousands by commas. Not `Intl`, whose first use alone blocks a slow phone for 0.1 s. */
export const grouped = (value: number) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')

/** Latencies have one unit, so that the rows of a table compare at a glance. */
export const msText = (language: string, values: readonly number[]): string =>
  `${values.map(msNumber).join(' / ')} ${language === 'en' ? 'ms' : '毫秒'}`

const msNumber = (ms: number) => (Number.isInteger(ms) || ms >= 10 ? grouped(ms) : ms.toFixed(1))
