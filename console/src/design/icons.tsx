import type { ReactNode } from 'react'

interface IconProps {
  readonly size?: number
}

/** Line icons. Decorative: the text next to them says the same. */
function Drawing({ size = 18, children }: IconProps & { readonly children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

export const Icons = {
  overview: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M3 16.5h14M5 16.5v-5M9 16.5v-9M13 16.5v-6M17 4l-4 3-4-2.5L4 8" />
    </Drawing>
  ),
  recharge: (props: IconProps) => (
    <Drawing {...props}>
      <circle cx="10" cy="10" r="7" />
      <path d="M10 6.5v7M6.5 10h7" />
    </Drawing>
  ),
  usage: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M3.5 4.5h13M3.5 8.5h9M3.5 12.5h13M3.5 16.5h6" />
    </Drawing>
  ),
  ledger: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M4 3h10.5A1.5 1.5 0 0 1 16 4.5V17H5.5A1.5 1.5 0 0 1 4 15.5V3ZM4 15.5A1.5 1.5 0 0 1 5.5 14H16M7.5 6.5h5M7.5 9.5h5" />
    </Drawing>
  ),
  reviews: (props: IconProps) => (
    <Drawing {...props}>
      <circle cx="10" cy="10" r="7" />
      <path d="M10 6v4.5l2.5 1.5" />
    </Drawing>
  ),
  proof: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M10 2.500 4 5v4.500c0 3.700 2.500 6.600 6 8 3.500-1.400 6-4.300 6-8V5l-6-2.500ZM7.300 10l2 2 3.500-3.800" />
    </Drawing>
  ),
  keys: (props: IconProps) => (
    <Drawing {...props}>
      <circle cx="6.5" cy="13.5" r="3" />
      <path d="m8.7 11.3 7.8-7.800M13 7l2.5 2.5" />
    </Drawing>
  ),
  playground: (props: IconProps) => (
    <Drawing {...props}>
      <path d="m6 7-3 3 3 3M14 7l3 3-3 3M11.5 4.5l-3 11" />
    </Drawing>
  ),
  media: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M3 4.5h14v11H3zM8.500 7.500v5l4-2.500-4-2.500Z" />
    </Drawing>
  ),
  webhooks: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M3 10h9M8.500 6.500 12 10l-3.500 3.500M15 4.500v11" />
    </Drawing>
  ),
  pricing: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M10.5 3H17v6.5l-7.2 7.200a1 1 0 0 1-1.4 0l-5.1-5.100a1 1 0 0 1 0-1.400L10.5 3ZM13.5 6.5h.01" />
    </Drawing>
  ),
  account: (props: IconProps) => (
    <Drawing {...props}>
      <circle cx="10" cy="7" r="3.2" />
      <path d="M3.5 17c.8-3 3.3-4.5 6.5-4.5s5.7 1.5 6.5 4.5" />
    </Drawing>
  ),
  menu: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M3 6h14M3 10h14M3 14h14" />
    </Drawing>
  ),
  more: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M4 10h.01M10 10h.01M16 10h.01" strokeWidth="2.5" />
    </Drawing>
  ),
  close: (props: IconProps) => (
    <Drawing {...props}>
      <path d="m5 5 10 10M15 5 5 15" />
    </Drawing>
  ),
  copy: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M7 7h9v9H7zM4 13V4h9" />
    </Drawing>
  ),
  check: (props: IconProps) => (
    <Drawing {...props}>
      <path d="m4.5 10.5 3.5 3.5 7.5-8" />
    </Drawing>
  ),
  warning: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M10 3.5 2.5 16.5h15L10 3.5ZM10 8.5v3.5M10 14.300h.01" />
    </Drawing>
  ),
  info: (props: IconProps) => (
    <Drawing {...props}>
      <circle cx="10" cy="10" r="7" />
      <path d="M10 9v4.5M10 6.5h.01" />
    </Drawing>
  ),
  sort: (props: IconProps) => (
    <Drawing {...props}>
      <path className="sort-up" d="M6.5 8 10 4.5 13.500 8" />
      <path className="sort-down" d="M6.5 12l3.5 3.5 3.500-3.5" />
    </Drawing>
  ),
  search: (props: IconProps) => (
    <Drawing {...props}>
      <circle cx="9" cy="9" r="5" />
      <path d="m13 13 4 4" />
    </Drawing>
  ),
  download: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13" />
    </Drawing>
  ),
  arrow: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M4 10h12M11.5 5.5 16 10l-4.5 4.5" />
    </Drawing>
  ),
  back: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M16 10H4M8.5 5.5 4 10l4.5 4.5" />
    </Drawing>
  ),
  play: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M6 4v12l10-6L6 4Z" />
    </Drawing>
  ),
  external: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M8 4H4v12h12v-4M11.5 4H16v4.5M16 4l-7 7" />
    </Drawing>
  ),
  calendar: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M3.5 5h13v11.5h-13zM3.5 8.5h13M7 3v3.500M13 3v3.500" />
    </Drawing>
  ),
  print: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M6 7V3h8v4M6 14H3.5V7h13v7H14M6 11.5h8V17H6v-5.5Z" />
    </Drawing>
  ),
  offline: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M3 3l14 14M4 9.5a9 9 0 0 1 3.5-2M16 9.5A9 9 0 0 0 10.5 7M6.7 12.5a5 5 0 0 1 3.3-1.300M10 16h.01" />
    </Drawing>
  ),
  events: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M5 14V9a5 5 0 0 1 10 0v5l1.500 1.500h-13ZM8.500 18h3" />
    </Drawing>
  ),
  alerts: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M3 5h14v10H3zM3 6l7 5 7-5" />
    </Drawing>
  ),
  sun: (props: IconProps) => (
    <Drawing {...props}>
      <circle cx="10" cy="10" r="3.2" />
      <path d="M10 2.5v2M10 15.5v2M2.5 10h2M15.5 10h2M4.7 4.700l1.4 1.400M13.9 13.900l1.4 1.400M4.7 15.300l1.4-1.400M13.9 6.100l1.4-1.4" />
    </Drawing>
  ),
  moon: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M16 11.5A6.5 6.5 0 0 1 8.5 4 6.5 6.5 0 1 0 16 11.5Z" />
    </Drawing>
  ),
  system: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M3 4h14v9.5H3zM7.5 17h5M10 13.5V17" />
    </Drawing>
  ),
  shown: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5Z" />
      <circle cx="10" cy="10" r="2" />
    </Drawing>
  ),
  hidden: (props: IconProps) => (
    <Drawing {...props}>
      <path d="M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5ZM4 16 16 4" />
    </Drawing>
  ),
} as const
