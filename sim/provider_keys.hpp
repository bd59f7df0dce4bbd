#pragma once

/// Keys that simulated providers and the accounts at them have. They were made for the simulation and are
/// known to everybody: a seed's log must be the same in every process.
namespace sluice::sim {

/// Signs what SNS tells, and asks for FCM's access tokens.
inline constexpr const char* rsa_signing_key =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQC3QiIYaxxz5NoY\n"
    "Eg/dBvAxFE+hs96rnBTc1lKCcfKyS88m6gNsjC7zIvANuhpDyKdk5+w7bH6ARx2J\n"
    "2lZgk3zc2VkcsHLUQddPUOTKIvfKF5sU3tgkbeFntzAf6iqYaHKukf6tN8yxYUE1\n"
    "GLKxLuqeACbgqxrfDV/YVTRnrYViuYJtE2xLvWuX9HuB5DGiJbOjxbvov0gHO9X3\n"
    "gpvv0bGZ0W8o4HculXB6x6WyW3s3smIS814O8TaM7MjUCZM3gY27AtKH0g6LtqPD\n"
    "ezHIlPQ68fuFI45+OgYYUSh/bz9o4aXLK4cgU+tkAiyc+RMCfgEWWmj5rue3dv1R\n"
    "DYUM9i9VAgMBAAECggEABEM9y0nHMuaWcHEPx5FMf3vB4W3vZphTaj1IVIqa0wJi\n"
    "lRIO69Sz7TRkFzxRCurCgrKcAwLXoMYRXhOYfEJvU6zGPvMCF3ADoS+YGXU9mci5\n"
    "nanppv6bpl+zYclUMyYvereLJWjS8lJOjmdewAfVGGvs+5Sx+Tu/UxHM+Fdn2Z9o\n"
    "dlvCSvGHVVnjqOfjNPhexyZFh5xXeAzAprDZhKyUD4eHdRgabpodCS7eLoF6otJH\n"
    "EHiHelVErFVU4t0Cax/NtfFcjKriiHqnUc5ZorDvNkxLLqh9AJp61HKD7IDEH6Bm\n"
    "ZK/FHvR4gnhlVSTC4DkzC3DCTaQSAXEHzqyKgYsyAQKBgQDcgQARvZv6pOn1s4ot\n"
    "teIS/DdWOau0vHu2pplhKaVhgzbXDyhs32iGRJxBWUMq8Qz3iFY29GVaOgg9nUHj\n"
    "CmieSIP7yYaIjwAQ62PaUofcU+fvzXjZI/Q2Yoy8VwKGQXWoujja64pqPn9B5CDR\n"
    "5MnKlrSrAF4x/i4vu/4hFT2GAQKBgQDUwjyyI+o6i5W8xMHrQrkG77stYEgOGOg5\n"
    "fsGzxBJbEd9oLUXejmUF+5O3E4eZ9k3/ilUP5WVqul3hbcuvbQ5+x1wJN2LDLfvz\n"
    "JYIAwj0xx/h8b8bdwMyBQWpnbLpCVNRs83nrTBm2ZCb+HJhhavDHF/CSQhRa9DV2\n"
    "hEATKeKxVQKBgC6FnQEhMv5/usjW92lLfYYp5nbvtfVs6uEPZz7jrXvUVkarcQj/\n"
    "XasuYJU9AvnVX7n97sqrZ5LQuZpeSl9fe9EhVY9S5mp7WTU4pJmUXguzPDUQ8dVG\n"
    "S6kJw82cwfCXcP6HQ6WUmmBuDSVWv0HpdlWi1D1b14POr+nsTOKn+5IBAoGBAKpC\n"
    "nov4jdM4LSYZVw5MIQHaCzJu4HrXl8+bDqwrdn0GuoAF6uoFjfbRsw5JRLUDFLwx\n"
    "GY1VCGn2pnZmhR/n6DewloiRmCmVvRCBrZ2p04ro+oOqd7yyM3YkwV/u9MdsV2qx\n"
    "FZolFlaNo16rx43+JJ1PHSgOVXfMApTLlPNBC7bZAoGBAIOihWjdrweNrjK1EO2d\n"
    "Bi7+5dQ3P3m0RBaV44zbHyB+JYbFrebB4MIREHzaETZTEg1CjsnoeA+Dl5ecuf6Y\n"
    "8Kjzg/tJXNZvZbRX1bxAMfm1L40vO/gcmAFrxZx0lp8bWac0kHxR6B0WBJhLgL85\n"
    "amZleAOClOc94RzkrfnxxRq4\n"
    "-----END PRIVATE KEY-----\n";

/// Of its public key, valid to 2060, for sns.amazonaws.com.
inline constexpr const char* sns_certificate =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIC8zCCAdugAwIBAgIBATANBgkqhkiG9w0BAQsFADAcMRowGAYDVQQDDBFzbnMu\n"
    "YW1hem9uYXdzLmNvbTAgFw0yMDAxMDEwMDAwMDBaGA8yMDYwMDEwMTAwMDAwMFow\n"
    "HDEaMBgGA1UEAwwRc25zLmFtYXpvbmF3cy5jb20wggEiMA0GCSqGSIb3DQEBAQUA\n"
    "A4IBDwAwggEKAoIBAQC3QiIYaxxz5NoYEg/dBvAxFE+hs96rnBTc1lKCcfKyS88m\n"
    "6gNsjC7zIvANuhpDyKdk5+w7bH6ARx2J2lZgk3zc2VkcsHLUQddPUOTKIvfKF5sU\n"
    "3tgkbeFntzAf6iqYaHKukf6tN8yxYUE1GLKxLuqeACbgqxrfDV/YVTRnrYViuYJt\n"
    "E2xLvWuX9HuB5DGiJbOjxbvov0gHO9X3gpvv0bGZ0W8o4HculXB6x6WyW3s3smIS\n"
    "814O8TaM7MjUCZM3gY27AtKH0g6LtqPDezHIlPQ68fuFI45+OgYYUSh/bz9o4aXL\n"
    "K4cgU+tkAiyc+RMCfgEWWmj5rue3dv1RDYUM9i9VAgMBAAGjPjA8MBwGA1UdEQQV\n"
    "MBOCEXNucy5hbWF6b25hd3MuY29tMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQD\n"
    "AgeAMA0GCSqGSIb3DQEBCwUAA4IBAQCOEm+Mjc0tFPFl1NygbXThRwZFfjWDAyfZ\n"
    "Ktb84zs+V3c3M+IRRvfTpxVrKkWwUFZhjK7K8uCcxgLQbAWY5OX5wxTPqG8BmpS0\n"
    "MMBRMICmig65OknpVbM4FwvG0F4j9BoxG1EZGrWxeH0XOCJkOPl13x1F2F3ql4hB\n"
    "ZoRoN+1ejHlbSr/FC44SFirwSKXoCRErnS73e0uUvsQ0uJfnxuZAQTV34QmshnVn\n"
    "4kK+iJvoCNgJHrsS6fP6VlK917uk5matN0Ww5CjrokCObIpB3NQ0XRTtvaKmhv3D\n"
    "V/3aqAfMz8Ofs228eKMuF4gthW5nwSAR65J02FEiPMH4BaDqFrbC\n"
    "-----END CERTIFICATE-----\n";

/// On the curve P-256: signs APNs' tokens, and identifies who pushes to browsers.
inline constexpr const char* p256_signing_key =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7mSYaINVffnMnJ/n\n"
    "nRX/eLayrc+FhU6pE1t99dnJfFShRANCAARROPquKaHO3D7GnvVZXXbfr4a1PjgA\n"
    "RXQeaND9BthuOb8A5vYlSu5/n8Pg+VrZKYquoCHEyKGoG2P0Z/3vpUwF\n"
    "-----END PRIVATE KEY-----\n";

} // namespace sluice::sim
