/** Nothing inline, nothing from elsewhere, and no script that makes script or markup out of text. */
export const pagePolicy = ({ connects }: { connects: boolean }) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ...(connects ? ["connect-src 'self'", "media-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
