import type { ReactNode } from 'react'

/** Our own drawings, not the logos. Decorative: the name is next to them. */
function Tile({ fill, children }: { fill: string; children: ReactNode }) {
  return (
    <svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill={fill} />
      {children}
    </svg>
  )
}

const line = { fill: 'none', stroke: '#fff', strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round' } as const

const marks: Record<string, ReactNode> = {
  wechat: (
    <Tile fill="#07a552">
      <path fill="#fff" d="M7 20l1-4 4 2.5z" />
      <ellipse cx="13" cy="12.5" rx="8" ry="6.5" fill="#fff" />
      <path fill="#fff" d="M26.5 26.5l-1-4-3.5 2z" />
      <ellipse cx="20.5" cy="19.5" rx="7.5" ry="6" fill="#fff" stroke="#07a552" />
      <g fill="#07a552">
        <circle cx="10.3" cy="11" r="1.2" />
        <circle cx="15.7" cy="11" r="1.2" />
        <circle cx="18.2" cy="18.5" r="1" />
        <circle cx="22.8" cy="18.5" r="1" />
      </g>
    </Tile>
  ),
  alipay: (
    <Tile fill="#1668dc">
      <path {...line} d="M8 10h16M16 6v8M10 15h12c-1.5 4.5-5 8-13 10M11 17c2.5 3.5 7 6.5 14 8" />
    </Tile>
  ),
  simulated: (
    <Tile fill="#6b6f76">
      <path {...line} strokeDasharray="3 2.6" d="M6.5 10.5h19v12h-19z" />
      <path {...line} d="M7 14.5h18M10 19h4" />
    </Tile>
  ),
}

export const MethodMark = ({ method }: { method: string }) =>
  marks[method] ?? (
    <Tile fill="#40557b">
      <path {...line} d="M6.5 10h19v12.5h-19zM7 14.5h18M10 19h4" />
    </Tile>
  )
