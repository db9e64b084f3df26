/** A shell script that signs a delivery and sends it, for people to copy; only curl, openssl and od are needed. The secret is left to be put in. */
export function webhookExample(url: string, body: string): string {
  return [
    `SECRET='whsec_…'`,
    `BODY='${body.replaceAll("'", "'\\''")}'`,
    'NOW=$(date +%s)',
    'ID="msg-$NOW-$$"',
    `KEY=$(printf %s "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
    'SIGNATURE=$(printf %s "$ID.$NOW.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)',
    `curl -X POST '${url}' \\`,
    `  -H 'content-type: application/json' -H "webhook-id: $ID" -H "webhook-timestamp: $NOW" \\`,
    '  -H "webhook-signature: v1,$SIGNATURE" --data-binary "$BODY"',
  ].join('\n');
}
