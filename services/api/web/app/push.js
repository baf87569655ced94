/** Whether this browser shows notices, and letting it: its subscription, known to the server by a digest. */

import { post, remove } from "./api.js";

/** Can this browser show notices at all? (Not on plain http, nor in some private windows.) */
export const canPush = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** The id under which the server knows this browser's subscription, or null if there is none. */
export async function ownId() {
  const subscription = canPush() && (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription());
  return subscription ? idOf(subscription.endpoint) : null;
}

/** Show notices here; answers with false where the person or the browser does not allow it. Throws a `Problem`. */
export async function turnOn(key) {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const { pushManager } = await navigator.serviceWorker.ready;
  await post("/me/push", (await subscribed(pushManager, key)).toJSON());
  return true;
}

/** Show none here any more. Throws a `Problem`. */
export async function turnOff(id) {
  await remove(`/me/push/${id}`);
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

async function subscribed(manager, key) {
  const options = { userVisibleOnly: true, applicationServerKey: bytes(key) };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    const old = await manager.getSubscription();
    if (!old) throw error;
    await old.unsubscribe(); // it was made for another key of ours
    return manager.subscribe(options);
  }
}

async function idOf(endpoint) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(digest).slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytes(base64url) {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
