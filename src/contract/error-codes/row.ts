export interface ErrorRow {
  readonly status: number
  readonly meaning: string
  readonly retry: string
}

export function row(status: number, meaning: string, retry: string): ErrorRow {
  return { status, meaning, retry }
}
