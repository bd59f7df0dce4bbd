// Reads webhooks, one a line: {"secret", "headers", "body"}, the body in base64. Says for each a line: good, or why not.

import readline from 'node:readline';
import { Webhook } from 'standardwebhooks';

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { secret, headers, body } = JSON.parse(line);
  try {
    new Webhook(secret).verify(Buffer.from(body, 'base64'), headers);
    console.log('good');
  } catch (error) {
    console.log(error.message);
  }
}
