/** A bar chart as SVG, readable on light and on dark pages. */
export interface Bar {
  readonly label: string
  readonly value: number
  readonly text: string
  readonly color: string
}

export interface Chart {
  readonly title: string
  readonly subtitle: string
  readonly bars: readonly Bar[]
  /** A line across all bars, such as the limit they are compared with. */
  readonly mark?: number
  readonly legend: readonly { readonly label: string; readonly color: string }[]
}

const width = 860
const labelWidth = 300
const barArea = 440
const rowHeight = 30
const top = 84

export function barChart({ title, subtitle, bars, mark, legend }: Chart): string {
  const highest = Math.max(...bars.map(({ value }) => value), mark ?? 0, Number.MIN_VALUE)
  const x = (value: number) => labelWidth + (value / highest) * barArea
  const height = top + bars.length * rowHeight + 20
  const rows = bars.map((bar, row) => {
    const y = top + row * rowHeight
    return `  <text x="${labelWidth - 10}" y="${y + 15}" text-anchor="end">${escaped(bar.label)}</text>
  <rect x="${labelWidth}" y="${y}" width="${Math.max(x(bar.value) - labelWidth, 1).toFixed(1)}" height="${rowHeight - 9}" rx="2" fill="${bar.color}"/>
  <text x="${(x(bar.value) + 8).toFixed(1)}" y="${y + 15}">${escaped(bar.text)}</text>`
  })
  const keys = legend.map(
    (
      { label, color },
      place,
    ) => `  <rect x="${labelWidth + place * 150}" y="54" width="12" height="12" rx="2" fill="${color}"/>
  <text x="${labelWidth + place * 150 + 18}" y="65">${escaped(label)}</text>`,
  )
  const line =
    mark === undefined
      ? ''
      : `  <line x1="${x(mark).toFixed(1)}" x2="${x(mark).toFixed(1)}" y1="${top - 8}" y2="${height - 16}" stroke="#888" stroke-dasharray="4 4"/>\n`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>${escaped(title)}</title>
  <style>
    text { font: 13px system-ui, sans-serif; fill: #1f2328; stroke: #ffffff; stroke-width: 4px; paint-order: stroke }
    .title { font-size: 17px; font-weight: 600 }
    .page { fill: #ffffff }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3; stroke: #0d1117 } .page { fill: #0d1117 } }
  </style>
  <rect class="page" width="${width}" height="${height}"/>
  <text class="title" x="16" y="26">${escaped(title)}</text>
  <text x="16" y="45">${escaped(subtitle)}</text>
${keys.join('\n')}
${line}${rows.join('\n')}
</svg>
`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
