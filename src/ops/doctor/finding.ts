export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'warning' | 'failure'
  readonly what: string
  /** What to do about it; null if nothing is wrong. */
  readonly remedy: string | null
}

export const findingsOf = (check: string) => ({
  ok: (what: string): Finding => ({ check, level: 'ok', what, remedy: null }),
  warning: (what: string, remedy: string): Finding => ({ check, level: 'warning', what, remedy }),
  failure: (what: string, remedy: string): Finding => ({ check, level: 'failure', what, remedy }),
})
